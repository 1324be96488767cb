/** `opac open`: the public page of a record. */
import { OpacError, UsageError } from '../../service/errors.js';
import { KIND_WORDS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { readRecord } from '../../service/records/record.js';
import { command } from '../command/command.js';
import type { Context } from '../context.js';
import { parseKind } from '../options/kind.js';
import { pageOf } from './open/page-of.js';
import { hasPart, publicPage } from './open/public-page.js';

export const commands = [
  command({
    name: 'open',
    summary: 'open the public page of a record in the browser',
    arguments: [
      {
        name: 'kind',
        summary: `${RECORD_KINDS.join(', ')}; without one, it is looked up`,
        required: true,
        choices: RECORD_KINDS,
        parse: String,
      },
      { name: 'id', summary: 'id of the record' },
    ],
    options: [{ flags: '--print', summary: 'print the URL without opening it' }],
    examples: {
      'print the URL of an object': 'opac open objects 20011 --print --mock',
      'open one; "opac login --public-page" sets the URL pattern': 'opac open person 5003 --mock',
    },
    endpoints: [],
    output: 'value',
    parse: ({ kind: first, id: second, print }) => {
      const [id, kind] = second === undefined ? [first] : [second, first];
      if (/^\.{0,2}$/.test(id.trim())) throw new UsageError(`invalid id "${id}"`);
      if (kind === undefined && isKind(id)) throw new UsageError(`missing id of the ${id}`);
      return {
        kind: kind === undefined ? undefined : parseKind(kind, RECORD_KINDS),
        id: id.trim(),
        print,
      };
    },
    async run(context, { kind: given, id, print }) {
      const kind = given ?? (await kindOf(context, id));
      const address = await addressOf(context, kind, id);
      const shown = { kind: 'value' as const, text: address, json: { url: address } };
      if (print || context.dryRunLog) return shown;
      const obstacle = await obstacleOf(context);
      if (obstacle !== undefined) {
        context.note(`${obstacle}; open this URL yourself:`);
        return shown;
      }
      const { openBrowser } = await import('../../auth/login/open-browser.js');
      try {
        await openBrowser(address);
      } catch {
        context.note('could not open a browser; open this URL yourself:');
        return shown;
      }
      context.note(`opened ${address}`);
      return undefined;
    },
  }),
];

function isKind(word: string): boolean {
  return RECORD_KINDS.some((kind) => kind === word || KIND_WORDS[kind].recordType === word);
}

/** Asks for a record of each kind. Throws where none or several have the id. */
async function kindOf(context: Context, id: string): Promise<RecordKind> {
  if (context.settings.dryRun) throw new UsageError('--dry-run needs the kind of the record');
  const client = await context.client();
  const found = await Promise.all(
    RECORD_KINDS.map(async (kind) => {
      try {
        await client.get(`${kind}.get`, { path: { [KIND_WORDS[kind].idKey]: id }, signal: context.signal });
        return [kind];
      } catch (error) {
        if (error instanceof OpacError && error.kind === 'not-found') return [];
        throw error;
      }
    }),
  );
  const [kind, other] = found.flat();
  if (kind === undefined) throw new OpacError('not-found', `no record has the id "${id}"`);
  if (other === undefined) return kind;
  throw new UsageError(
    `several records have the id "${id}"`,
    `name the kind: opac open ${kind} ${id}, or ${other}`,
  );
}

async function addressOf(context: Context, kind: RecordKind, id: string): Promise<string> {
  const { baseUrl, pattern } = await pageOf(context);
  const slug = hasPart(pattern, 'slug') ? await slugOf(context, kind, id) : '';
  return publicPage(pattern, { base_url: baseUrl, kind, id, slug });
}

async function slugOf(context: Context, kind: RecordKind, id: string): Promise<string> {
  const client = await context.client();
  const path = { [KIND_WORDS[kind].idKey]: id };
  return readRecord(await client.get(`${kind}.get`, { path, signal: context.signal }), kind).slug || id;
}

async function obstacleOf({ environment, settings }: Context): Promise<string | undefined> {
  if (settings.mock) return 'the built-in museum has no public pages';
  const { browserObstacle } = await import('../../auth/login/method.js');
  return browserObstacle(environment, process.platform);
}
