/** `opac api`: sends any GET request, also to endpoints that have no command. */
import { HttpError } from '../../client/errors/http-error.js';
import type { HttpResponse } from '../../client/http-request.js';
import { findFormat } from '../../export/convert/formats.js';
import type { Endpoint } from '../../service/endpoints/catalogue.js';
import { findEndpoint } from '../../service/endpoints/find-endpoint.js';
import { UsageError } from '../../service/errors.js';
import { parseJsonLossless } from '../../service/parse-json.js';
import { redactText } from '../../service/redact.js';
import type { QueryParameters } from '../../service/search/record-search.js';
import type { Context } from '../context.js';
import { defineCommand } from '../description/command.js';
import type { OptionDescription, Parser } from '../description/option.js';
import { type CommandResult, toSinglePage } from '../description/result.js';
import { escapeJsonForTerminal } from '../output/terminal/sanitize.js';
import { isShown } from '../output/write-output.js';
import { fetchAllPages } from './api/all-pages.js';
import { type ApiRequest, parseApiRequest } from './api/api-request.js';
import { readItems } from './api/response-items.js';
import { createMissingEndpointError } from './items/known-names.js';
import { getItemSchema } from './items/list-items.js';

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
    summary: 'add a query parameter; opac encodes its value',
    repeatable: true,
    parse: parseParameter,
  },
  {
    flags: '--all',
    summary: 'fetch all pages of a list and print one JSON array (for another format, use -f)',
  },
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
  defineCommand({
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
      'print the list of collections from the service': 'opac api /opaccollections --mock',
      'search with parameters, which opac encodes': `opac api /opacobjects --mock --param 'query=maker_name:"Rita Angus"' --param limit=2`,
      'print all records of a search as CSV':
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
      const endpoint = findEndpoint(path)?.row;
      const client = await context.client();
      assertSameDeployment(request, client.baseUrl);
      const schema = getItemSchema(endpoint?.id);
      const emptyMessage = 'the list is empty';
      if (all)
        return {
          kind: 'items',
          ...(await fetchAllPages(context, request, endpoint?.id)),
          schema,
          emptyMessage,
          format: 'json',
        };
      const response = await client
        .getPath(path, { query, signal: context.signal })
        .catch((error) => Promise.reject(explainNotFound(error, endpoint)));
      if (include) printResponseHeaders(response, context);
      if (!isItemOutput(context)) return { kind: 'raw', bytes: formatForTerminal(response.bytes, context) };
      const { items, total, isList } = readItems(response, endpoint?.id);
      return {
        kind: 'items',
        pages: toSinglePage(items),
        schema,
        emptyMessage,
        total: () => total,
        moreHint: 'use --all',
        ...(!isList && { isById: true }),
      };
    },
  }),
];

function assertSameDeployment({ base }: ApiRequest, baseUrl: string): void {
  if (base === undefined || base.replace(/(?<!\/)\/+$/, '').toLowerCase() === baseUrl.toLowerCase()) return;
  throw new UsageError(`${base} is not the deployment in use (${baseUrl})`, `add --base-url ${base}`);
}

/** Returns true if opac writes the items of the response. Otherwise, opac writes the original response. */
function isItemOutput({ globalOptions, format }: Context): boolean {
  const byExtension = format !== undefined && findFormat(format)?.json !== 'array';
  return (
    globalOptions.format !== undefined ||
    byExtension ||
    globalOptions.columns !== undefined ||
    globalOptions.flat
  );
}

function formatForTerminal(bytes: Buffer, { terminal, globalOptions }: Context): Buffer {
  if (!isShown({ terminal, globalOptions })) return bytes;
  return Buffer.from(`${escapeJsonForTerminal(JSON.stringify(parseJsonLossless(bytes), null, 2))}\n`);
}

function printResponseHeaders({ status, headers }: HttpResponse, { stderr }: Context): void {
  const lines = Object.entries(headers).map(([name, value]) =>
    name === 'set-cookie' ? `${name}: [hidden]` : redactText(`${name}: ${value}`),
  );
  stderr.say(`HTTP ${[String(status), ...lines].join('\n')}\n`);
}

/** Returns a clearer error for a 404 if the deployment possibly lacks the endpoint (its `origin` in catalogue.ts is `likely`). */
function explainNotFound(error: unknown, endpoint: Endpoint | undefined): unknown {
  if (!(error instanceof HttpError) || error.status !== 404 || endpoint?.origin !== 'likely') return error;
  return createMissingEndpointError(endpoint.id, error);
}
