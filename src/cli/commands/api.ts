/** `opac api`: any GET of the service, for what no command of its own is there for. */

import { HttpError } from '../../client/errors/http-error.js';
import { parseJson } from '../../client/errors/parse-json.js';
import type { Answer } from '../../client/exchange.js';
import { redact } from '../../client/redact.js';
import type { Endpoint } from '../../service/catalogue.js';
import { OpacError, UsageError } from '../../service/errors.js';
import { findEndpoint } from '../../service/find-endpoint.js';
import type { QueryParameters } from '../../service/search/search.js';
import { command } from '../command/command.js';
import type { OptionDescription } from '../command/option.js';
import { type CommandResult, onePage } from '../command/result.js';
import type { Context } from '../context.js';
import { flagOption, stringsOption } from '../options/read.js';
import { allPages } from './api/all-pages.js';
import { itemsOf, sheetOf } from './api/answer-items.js';
import { type Asked, readAsked } from './api/asked.js';

const OPTIONS: readonly OptionDescription[] = [
  {
    flags: '-q, --param <key=value>',
    summary: 'a query parameter, not yet encoded',
    repeatable: true,
  },
  {
    flags: '--all',
    summary: 'every item of a list, page by page, as one JSON array unless -f says otherwise',
  },
  { flags: '-i, --include', summary: 'the status and the headers of the answer too, on standard error' },
  { flags: '--force', summary: 'send paths and parameters that are retired' },
];

export const commands = [
  command({
    name: 'api',
    summary: 'send any GET request to the service, and print the answer as it comes',
    arguments: [
      {
        name: 'path',
        summary: 'below /api/v3, as in /opacobjects/20011; "opac openapi" lists them',
        required: true,
      },
    ],
    options: OPTIONS,
    examples: [
      { purpose: 'an answer as it comes', command: 'opac api /opaccollections --mock' },
      {
        purpose: 'with parameters; quotes and spaces are encoded for you',
        command: `opac api /opacobjects --mock -q 'query=maker_name:"Rita Angus"' -q limit=2`,
      },
      {
        purpose: 'every record of a search, as a table of values',
        command: 'opac api /opacobjects --mock -q view=detail --all -f csv --columns id,title',
      },
    ],
    parse: ({ arguments: [path = ''], options }) => {
      const all = flagOption(options, 'all');
      const include = flagOption(options, 'include');
      if (all && include) throw new UsageError('--include shows one answer, so it cannot go with --all');
      const asked = readAsked(
        path,
        stringsOption(options, 'param').map(readParameter),
        flagOption(options, 'force'),
      );
      return { asked, all, include };
    },
    async run(context, { asked, all, include }): Promise<CommandResult> {
      const row = findEndpoint(asked.path)?.row;
      const client = await context.client();
      refuseForeign(asked, client.baseUrl);
      const sheet = sheetOf(row?.id);
      const nothing = 'there is nothing in the list';
      if (all)
        return { ...(await allPages(context, asked, row?.id)), schema: sheet, nothing, format: 'json' };
      const { path, query } = asked;
      const answer = await client
        .getPath(path, { query, signal: context.signal })
        .catch((error) => Promise.reject(explained(error, row)));
      if (include) showHead(answer, context);
      if (!wantsItems(context)) return { bytes: readable(answer.bytes, context) };
      const { items, total, isList } = itemsOf(parseJson(answer.bytes), row?.id);
      return {
        pages: onePage(items),
        schema: sheet,
        nothing,
        total: () => total,
        more: 'use --all',
        ...(!isList && { byId: true }),
      };
    },
  }),
];

function readParameter(text: string): QueryParameters[number] {
  const at = text.indexOf('=');
  if (at < 1) throw new UsageError(`"${text}" is not <key>=<value>`, 'write it as in: -q limit=10');
  return [text.slice(0, at), text.slice(at + 1)];
}

function refuseForeign({ base }: Asked, baseUrl: string): void {
  if (base === undefined || base.replace(/\/+$/, '').toLowerCase() === baseUrl.toLowerCase()) return;
  throw new UsageError(`${base} is not ${baseUrl}, the deployment that is asked`, `add --base-url ${base}`);
}

/** Whether the answer is to be read, and not passed on as it is. A file may well be named `.json` for the raw answer. */
function wantsItems({ settings, format }: Context): boolean {
  const byEnding = format !== undefined && format !== 'json';
  return settings.format !== undefined || byEnding || settings.columns !== undefined || settings.flat;
}

/** The bytes as they came; for people, JSON on lines of its own. */
function readable(bytes: Buffer, { terminal, settings }: Context): Buffer {
  if (!terminal.isTerminal || settings.output !== undefined) return bytes;
  return Buffer.from(`${JSON.stringify(parseJson(bytes), null, 2)}\n`);
}

function showHead({ status, headers }: Answer, { stderr }: Context): void {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === 'set-cookie' ? `${name}: [hidden]` : redact(`${name}: ${value}`),
  );
  stderr.write(`HTTP ${[String(status), ...lines].join('\n')}\n\n`);
}

/** A 404 where the document promises nothing says that the deployment does not have the endpoint. */
function explained(error: unknown, row: Endpoint | undefined): unknown {
  if (!(error instanceof HttpError) || error.status !== 404 || row?.origin !== 'likely') return error;
  const { serviceMessage } = error;
  return new OpacError(
    'not-found',
    `this deployment does not offer ${row.path}, or has nothing of that name there`,
    {
      hint: serviceMessage ? `it says: ${serviceMessage}` : 'the document of the service does not promise it',
      cause: error,
    },
  );
}
