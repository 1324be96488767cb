/** What was probably meant by an id that no record has: a number or a name in a field, an address, a record of another kind. */
import { KIND_WORDS, kindOfRecordType, RECORD_KINDS, type RecordKind } from '../../../service/kinds.js';
import type { Context } from '../../context.js';
import { nextCommand } from '../search/next-command.js';
import { hintOf } from './bounded.js';
import { countedKind, holdersOf } from './holders.js';

/** More are better read from a file. */
const MOST_WORDS = 10;

/** A sentence on the first id that was not found, with the command that was meant. Costs up to four requests. */
export async function hintForMissing(
  context: Context,
  kind: RecordKind,
  missing: readonly string[],
): Promise<string | undefined> {
  const [id = ''] = missing;
  const address = inAddress(id, kind);
  if (address) return `did you mean "${nextCommand(context, [address.kind, 'get', address.id])}"?`;
  return hintOf(context, async (asked) => {
    const [zeros, held, other] = await Promise.all([
      withoutZeros(asked, kind, id).catch(() => undefined),
      heldBy(asked, kind, missing).catch(() => undefined),
      ofOtherKind(asked, kind, id),
    ]);
    return zeros ?? held ?? other;
  });
}

/** `https://museum.example/objects/20022`, `opacpersons/5003`: as copied from a browser or a log. */
function inAddress(text: string, kind: RecordKind): { kind: RecordKind; id: string } | undefined {
  const named = [...text.matchAll(/(?:^|\/)(?:opac)?(object|person|venue)s?\/([^/?#\s]+)/gi)].at(-1);
  if (named) return { kind: kindOfRecordType(named[1] ?? '') ?? kind, id: named[2] ?? '' };
  const number = /^https?:/i.test(text)
    ? text.split(/[/?#]/).findLast((part) => /^\d+$/.test(part))
    : undefined;
  return number === undefined ? undefined : { kind, id: number };
}

async function withoutZeros(context: Context, kind: RecordKind, id: string): Promise<string | undefined> {
  const number = id.replace(/^0+/, '');
  if (number === id || !(await exists(context, kind, number))) return undefined;
  return `did you mean "${nextCommand(context, [kind, 'get', number])}"?`;
}

async function heldBy(
  context: Context,
  kind: RecordKind,
  missing: readonly string[],
): Promise<string | undefined> {
  const [text = ''] = missing;
  const holders = await holdersOf(context, kind, text);
  if (holders === undefined) return undefined;
  const { field, ids } = holders;
  const [id = '', another] = ids;
  const isOne = another === undefined && missing.length === 1;
  const whose =
    another === undefined ? `${KIND_WORDS[kind].recordType} ${id}` : countedKind(ids.length, kind);
  const words = isOne ? [id] : ['--by', field, ...missing.slice(0, MOST_WORDS)];
  return `"${text}" is the ${field} of ${whose}: ${nextCommand(context, [kind, 'get', ...words])}`;
}

async function ofOtherKind(context: Context, kind: RecordKind, id: string): Promise<string | undefined> {
  const others = RECORD_KINDS.filter((other) => other !== kind);
  const found = await Promise.all(others.map((other) => exists(context, other, id)));
  const [other] = others.filter((_, index) => found[index]);
  return other && `did you mean "${nextCommand(context, [other, 'get', id])}"?`;
}

async function exists(context: Context, kind: RecordKind, id: string): Promise<boolean> {
  const client = await context.client();
  const path = { [KIND_WORDS[kind].idKey]: id };
  return client.get(`${kind}.get`, { path, signal: context.signal }).then(
    () => true,
    () => false,
  );
}
