/** Damages valid files and requests: changes their bytes or their values. */
import fc from 'fast-check';

/** Unexpected values: wrong types, negative and very large numbers, paths out of the folder, terminal control characters. */
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

function changeAt(value: unknown, path: Path, change: (inner: unknown) => unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return change(value);
  const copy = Array.isArray(value) ? [...value] : { ...(value as object) };
  const inner = changeAt(Reflect.get(copy, key), rest, change);
  if (inner === undefined) Reflect.deleteProperty(copy, key);
  else Reflect.set(copy, key, inner);
  return copy;
}

/** Returns JSON text in which one value is replaced or missing. */
export function damagedJson(intact: unknown): fc.Arbitrary<string> {
  const paths = [...pathsIn(intact)];
  const change = fc.oneof(
    { weight: 1, arbitrary: fc.constant(undefined) },
    { weight: 6, arbitrary: fc.constantFrom(...OTHERS) },
  );
  return fc
    .tuple(fc.constantFrom(...paths), change)
    .map(([path, other]) => JSON.stringify(changeAt(intact, path, () => other)) ?? '');
}

/** Returns the bytes with up to three changes: bytes are overwritten, removed, repeated or inserted, or the end is cut off. */
export function damagedBytes(intact: Buffer): fc.Arbitrary<Buffer> {
  const place = fc.nat({ max: intact.length });
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
  return fc.array(damage, { maxLength: 3 }).map((all) => all.reduce((bytes, apply) => apply(bytes), intact));
}
