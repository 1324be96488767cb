/** `opac api`: any GET request of the service, for what has no command of its own. */

import { HttpError } from '../../client/errors/http-error.js';
import type { HttpResponse } from '../../client/exchange.js';
import { formatNamed } from '../../export/convert/formats.js';
import type { Endpoint } from '../../service/endpoints/catalogue.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { UsageError } from '../../service/errors.js';
import { parseJson } from '../../service/parse-json.js';
import { redact } from '../../service/redact.js';
import type { QueryParameters } from '../../service/search/search.js';
import { command } from '../command/command.js';
import type { OptionDescription, Parser } from '../command/option.js';
import { type CommandResult, onePage } from '../command/result.js';
import type { Context } from '../context.js';
import { jsonForTerminal } from '../output/terminal/sanitise.js';
import { isShown } from '../output/write.js';
import { allPages } from './api/all-pages.js';
import { type ApiRequest, parseApiRequest } from './api/api-request.js';
import { itemsOf, schemaOf } from './api/response-items.js';
import { notOffered } from './items/known-names.js';

const parseParameter: Parser<QueryParameters> = (text) => {
  const at = text.indexOf('=');
  if (at < 1)
    throw new UsageError(
      `invalid parameter "${text}"; must be <key>=<value>`,
      'for example: --param limit=10',
    );
  return [[text.slice(0, at), text.slice(at + 1)]];
};

const OPTIONS = [
  {
    flags: '--param <key=value>',
    summary: 'add a query parameter; its value is encoded for you',
    repeatable: true,
    parse: parseParameter,
  },
  { flags: '--all', summary: 'fetch all pages of a list and print one JSON array (default format)' },
  {
    flags: '-i, --include',
    summary: 'print the status and headers of the response to standard error',
    conflicts: ['--all'],
  },
  {
    flags: '--allow-retired',
    summary: 'send the request even if the path or parameter is deprecated or removed',
  },
] as const satisfies readonly OptionDescription[];

export const commands = [
  command({
    name: 'api',
    summary: 'send a GET request to the service and print the response',
    arguments: [
      {
        name: 'path',
        summary: 'path below /api/v3, for example /opacobjects/20011; see: opac openapi',
        required: true,
      },
    ],
    options: OPTIONS,
    examples: {
      'list the collections, as the service sends them': 'opac api /opaccollections --mock',
      'search with parameters; they are encoded for you': `opac api /opacobjects --mock --param 'query=maker_name:"Rita Angus"' --param limit=2`,
      'print every record of a search as CSV':
        'opac api /opacobjects --mock --param view=detail --all -f csv --columns id,title',
    },
    endpoints: [],
    parse: ({ path, param, allowRetired, all, include }) => ({
      request: parseApiRequest(path, param, allowRetired),
      all,
      include,
    }),
    async run(context, { request, all, include }): Promise<CommandResult> {
      const { path, query } = request;
      const row = findEndpoint(path)?.row;
      const client = await context.client();
      refuseForeign(request, client.baseUrl);
      const schema = schemaOf(row?.id);
      const emptyMessage = 'the list is empty';
      if (all)
        return {
          kind: 'items',
          ...(await allPages(context, request, row?.id)),
          schema,
          emptyMessage,
          format: 'json',
        };
      const response = await client
        .getPath(path, { query, signal: context.signal })
        .catch((error) => Promise.reject(explained(error, row)));
      if (include) showHead(response, context);
      if (!wantsItems(context)) return { kind: 'raw', bytes: readable(response.bytes, context) };
      const { items, total, isList } = itemsOf(response, row?.id);
      return {
        kind: 'items',
        pages: onePage(items),
        schema,
        emptyMessage,
        total: () => total,
        moreHint: 'use --all',
        ...(!isList && { byId: true }),
      };
    },
  }),
];

function refuseForeign({ base }: ApiRequest, baseUrl: string): void {
  if (base === undefined || base.replace(/(?<!\/)\/+$/, '').toLowerCase() === baseUrl.toLowerCase()) return;
  throw new UsageError(`${base} is not the deployment in use, ${baseUrl}`, `add --base-url ${base}`);
}

/** Whether the response is read, not passed on as it is. A file named `.json` may be for the raw response. */
function wantsItems({ settings, format }: Context): boolean {
  const byEnding = format !== undefined && formatNamed(format)?.json !== 'array';
  return settings.format !== undefined || byEnding || settings.columns !== undefined || settings.flat;
}

function readable(bytes: Buffer, { terminal, settings }: Context): Buffer {
  if (!isShown({ terminal, settings })) return bytes;
  return Buffer.from(`${jsonForTerminal(JSON.stringify(parseJson(bytes), null, 2))}\n`);
}

function showHead({ status, headers }: HttpResponse, { stderr }: Context): void {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === 'set-cookie' ? `${name}: [hidden]` : redact(`${name}: ${value}`),
  );
  stderr.say(`HTTP ${[String(status), ...lines].join('\n')}\n`);
}

/** A 404 of an endpoint that the document does not promise. */
function explained(error: unknown, row: Endpoint | undefined): unknown {
  if (!(error instanceof HttpError) || error.status !== 404 || row?.origin !== 'likely') return error;
  return notOffered(row.id, error);
}
