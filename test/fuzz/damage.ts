/** Files and requests as no program of ours would write them: right ones with damage done to their bytes or their values. */
import fc from 'fast-check';

/** What stands where something else was expected: wrong types, wrong signs, ways out of the folder, terminal controls. */
const OTHERS: readonly unknown[] = [
  null,
  true,
  -5,
  0,
  1e21,
  Number.MAX_SAFE_INTEGER + 1,
  0.5,
  '',
  '..',
  '../../x',
  '/etc/hostname',
  '\u001b]0;x\u0007',
  '\ud800',
  '__proto__',
  '1',
  [],
  [null],
  [[]],
  {},
  { length: 3 },
];

type Path = readonly (string | number)[];

function* pathsIn(value: unknown, path: Path = []): Generator<Path> {
  yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) yield* pathsIn(inner, [...path, key]);
}

function changed(value: unknown, path: Path, change: (inner: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const inner = changed(Reflect.get(copy, key), rest, change);
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, inner);
  return copy;
}

/** The text of that JSON with one value replaced or left out. */
export function damagedJson(whole: unknown): fc.Arbitrary<string> {
  const paths = [...pathsIn(whole)];
  const change = fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 6, arbitrary: fc.constantFrom(...OTHERS) },
  );
  return fc
    .tuple(fc.constantFrom(...paths), change)
    .map(([path, other]) => JSON.stringify(changed(whole, path, () => other)) ?? '');
}

/** Those bytes with some overwritten, cut out, repeated or put in; seldom as they were. */
export function damagedBytes(whole: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat({ max: whole.length });
  const byte = fc.oneof(fc.nat({ max: 255 }), fc.constantFrom(...Buffer.from('"\\{}[]:,0-.eE \n\r\t\0')));
  const damage = fc.oneof(
    fc.tuple(place, byte).map(([at, b]) => (bytes: Buffer) => {
      const copy = Buffer.from(bytes);
      copy[at % Math.max(1, copy.length)] = b;
      return copy;
    }),
    fc.tuple(place, place).map(
      ([from, to]) =>
        (bytes: Buffer) =>
          Buffer.concat([bytes.subarray(0, from), bytes.subarray(to)]),
    ),
    fc.tuple(place, fc.uint8Array({ maxLength: 6 })).map(
      ([at, more]) =>
        (bytes: Buffer) =>
          Buffer.concat([bytes.subarray(0, at), more, bytes.subarray(at)]),
    ),
    place.map((to) => (bytes: Buffer) => bytes.subarray(0, to)),
  );
  return fc.array(damage, { maxLength: 3 }).map((all) => all.reduce((bytes, harm) => harm(bytes), whole));
}
