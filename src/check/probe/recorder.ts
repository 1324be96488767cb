/**
 * Keeps what crosses the network during a run: each request with its tries, the start of its response, and every credential that
 * was sent, so that none of them comes into a report.
 */

import { isUtf8 } from 'node:buffer';
import { type HttpRequest, type HttpResponse, pathAndQuery, type Send } from '../../client/http-request.js';
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import { redactText } from '../../service/redact.js';
import { stripLogCommands } from '../../system/log-commands.js';
import { CheckBlocked, type RecordedExchange } from './deviation.js';

/** Whose credentials a request carries: those in use, none, or a token that was never given out. */
export type CredentialsKind = 'user' | 'nobody' | 'stranger';

/** Writes a request as a curl command, with variables in place of credentials. */
export type Curl = (request: Pick<HttpRequest, 'path' | 'query'>, caller: CredentialsKind) => string;

interface Try {
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly excerpt: string;
  readonly isUtf8: boolean;
}

/** Requests of a run at most: the checks are to be a light load. */
export const MAX_REQUESTS = 99;

/** Characters of a response that a report may show. */
const MAX_EXCERPT_CHARACTERS = 1500;

export class Recorder {
  readonly #tries = new Map<string, Try[]>();
  readonly #curl: Curl;
  #sent = 0;

  constructor(curl: Curl) {
    this.#curl = curl;
  }

  get sent(): number {
    return this.#sent;
  }

  /** The layer around the transport of a client, for `ClientOptions.wrapTransport`. */
  withRecording(caller: CredentialsKind): (send: Send) => Send {
    return (send) => (request) => this.#record(keyOf(request, caller), () => send(request));
  }

  /** Sends and records one try. Throws Blocked when the run has sent all it may. */
  async #record(key: string, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    if (this.#sent >= MAX_REQUESTS)
      throw new CheckBlocked(`the limit of ${MAX_REQUESTS} requests is reached`);
    this.#sent++;
    const started = performance.now();
    const tries = this.#tries.get(key) ?? [];
    this.#tries.set(key, tries);
    try {
      const response = await send();
      const { status, elapsed, bytes } = response;
      tries.push({ status, milliseconds: elapsed, excerpt: excerptOf(response), isUtf8: isUtf8(bytes) });
      return response;
    } catch (error) {
      const excerpt = error instanceof Error ? error.message : String(error);
      const milliseconds = performance.now() - started;
      tries.push({ status: undefined, milliseconds, excerpt, isUtf8: true });
      throw error;
    }
  }

  /** The text as a report may hold it: see `printable`, and without secrets. */
  clean(text: string, longest?: number): string {
    return printable(redactText(text), longest);
  }

  /** What is known of a request that was sent. */
  exchange(
    request: Pick<HttpRequest, 'path' | 'query'>,
    caller: CredentialsKind,
    endpoint: EndpointId | '',
  ): RecordedExchange {
    const path = this.clean(pathAndQuery(request), 2000);
    const query = request.query?.map(([name, value]) => [name, redactText(value)] as const) ?? [];
    const curl = printable(this.#curl({ path: redactText(request.path), query }, caller), 4000);
    const tries = this.#tries.get(keyOf(request, caller)) ?? [];
    const last = tries.at(-1);
    return {
      endpoint,
      path,
      status: last?.status,
      milliseconds: last?.milliseconds ?? 0,
      tries: tries.length,
      earlier: tries.slice(0, -1).map(({ status, excerpt }) => String(status ?? this.clean(excerpt, 100))),
      curl,
      excerpt: this.clean(last?.excerpt ?? '', MAX_EXCERPT_CHARACTERS),
      isUtf8: last?.isUtf8 ?? true,
    };
  }
}

function keyOf(request: Pick<HttpRequest, 'path' | 'query'>, caller: CredentialsKind): string {
  return `${caller} ${pathAndQuery(request)}`;
}

/** Without secrets before it is cut, which might leave the half of one. */
function excerptOf({ bytes }: HttpResponse): string {
  return redactText(bytes.toString('utf8', 0, 65_536)).slice(0, MAX_EXCERPT_CHARACTERS * 2);
}

/** Characters of a text in a report. */
const MAX_LENGTH = 300;

/**
 * The text in one line, without control characters, what reorders text, lone surrogates and noncharacters (which XML 1.0 section
 * 2.2 forbids), cut to `longest` characters.
 */
export function printable(text: string, longest = MAX_LENGTH): string {
  const plain = text
    .slice(0, longest * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cs}\p{Noncharacter_Code_Point}]/gu, '\ufffd');
  const line = stripLogCommands(plain).trim();
  return line.length > longest ? `${line.slice(0, longest).replace(/\p{Cs}$/u, '')}…` : line;
}
