/** `opac open`: opens the public page of a record. */
import { UsageError } from '../../service/errors.js';
import { KIND_KEYS, RECORD_KINDS, type RecordKind } from '../../service/kinds.js';
import { readRecord } from '../../service/records/record.js';
import type { Context } from '../context.js';
import { defineCommand } from '../description/command.js';
import { kindArgument } from '../options/kind.js';
import { formatPublicPageUrl, hasPlaceholder, resolvePublicPagePattern } from './open/public-page.js';

export const commands = [
  defineCommand({
    name: 'open',
    summary: 'open the public page of a record in the browser',
    // The parser does not require the id, so that `opac open 1035` reports an invalid kind instead of a missing id.
    arguments: [kindArgument(RECORD_KINDS), { name: 'id', summary: 'id of the record (required)' }],
    options: [{ flags: '--print', summary: 'print the URL without opening it' }],
    examples: {
      'print the URL of an object': 'opac open objects 20011 --print --mock',
      'open a person; set the URL pattern with: opac login --public-page': 'opac open persons 5003 --mock',
    },
    endpoints: [],
    output: 'value',
    parse: ({ kind, id, print }) => {
      if (id === undefined)
        throw new UsageError('missing required argument "id"', 'write: opac open <kind> <id>');
      if (/^\.{0,2}$/.test(id.trim())) throw new UsageError(`invalid id "${id}"`);
      return { kind, id: id.trim(), print };
    },
    async run(context, { kind, id, print }) {
      const url = await resolveUrl(context, kind, id);
      const shown = { kind: 'value' as const, text: url, json: { url } };
      if (print || context.dryRunLog) return shown;
      const obstacle = await findBrowserObstacle(context);
      if (obstacle !== undefined) {
        context.note(obstacle);
        return shown;
      }
      const { openBrowser } = await import('../../auth/login/open-browser.js');
      try {
        await openBrowser(url);
      } catch {
        context.note('could not open a browser; open this URL yourself:');
        return shown;
      }
      context.note(`opened ${url}`);
      return undefined;
    },
  }),
];

async function resolveUrl(context: Context, kind: RecordKind, id: string): Promise<string> {
  const { baseUrl, pattern } = await resolvePublicPagePattern(context);
  const slug = hasPlaceholder(pattern, 'slug') ? await fetchSlug(context, kind, id) : '';
  return formatPublicPageUrl(pattern, { base_url: baseUrl, kind, id, slug });
}

async function fetchSlug(context: Context, kind: RecordKind, id: string): Promise<string> {
  const client = await context.client();
  const path = { [KIND_KEYS[kind].idKey]: id };
  return readRecord(await client.get(`${kind}.get`, { path, signal: context.signal }), kind).slug || id;
}

async function findBrowserObstacle({ environment, globalOptions }: Context): Promise<string | undefined> {
  if (globalOptions.mock) return 'the built-in museum has no public pages; the URL would be:';
  const { findBrowserObstacle } = await import('../../auth/login/method-names.js');
  const obstacle = findBrowserObstacle(environment, process.platform);
  return obstacle && `${obstacle}; open this URL yourself:`;
}
