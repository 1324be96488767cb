/** Counts the steps of a task: elements of lists that it reads or moves, and keys of maps and sets that it looks up. */

type Functions = Record<string, (...words: unknown[]) => unknown>;

const ITERATOR: object = Object.getPrototypeOf([].values());
/** Functions that read a complete list, and functions that take one step. */
const COUNTED: readonly (readonly [owner: object, names: readonly string[]])[] = [
  [Array.prototype, ['map', 'filter', 'flat', 'findIndex', 'indexOf', 'includes', 'splice', 'shift']],
  [ITERATOR, ['next']],
  [Map.prototype, ['get', 'has']],
  [Set.prototype, ['has']],
];

const lengthOf = (value: unknown) => (Array.isArray(value) ? value.length : 1);

export async function countSteps(task: () => unknown): Promise<number> {
  let sum = 0;
  const undo: (() => void)[] = [];
  for (const [owner, names] of COUNTED)
    for (const name of names) {
      const functions = owner as Functions;
      const real = functions[name] as (typeof functions)[string];
      functions[name] = function (this: unknown, ...words) {
        const made = Reflect.apply(real, this, words);
        sum += lengthOf(name === 'flat' ? made : this);
        return made;
      };
      undo.push(() => {
        functions[name] = real;
      });
    }
  try {
    await task();
  } finally {
    for (const each of undo) each();
  }
  return sum;
}
