/** Checks the content of files, because other programs may have changed them. */
import { isObject } from '../service/json.js';
import * as v from './valibot.js';

export const SIZE = v.pipe(v.number(), v.safeInteger(), v.minValue(0));
export const TEXTS = v.array(v.string());

type DeepReadonly<T> = T extends object ? { readonly [Name in keyof T]: DeepReadonly<T[Name]> } : T;

export type Content<Schema extends v.GenericSchema> = DeepReadonly<v.InferOutput<Schema>>;

/** Throws the error of `errorFor` for an invalid value. `member`: the first invalid key; `''` if the value is not an object. */
export function checkContent<Schema extends v.GenericSchema>(
  schema: Schema,
  value: unknown,
  errorFor: (member: string) => Error,
): Content<Schema> {
  if (!isObject(value)) throw errorFor('');
  const { issues, output } = v.safeParse(schema, value, { abortEarly: true });
  if (!issues) return output as Content<Schema>;
  throw errorFor(String(issues[0].path?.[0]?.key ?? ''));
}
