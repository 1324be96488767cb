/** Records the requests of a run: each try, its time and the start of its response, without secrets. */
import { isUtf8 } from 'node:buffer';
import { type HttpRequest, type HttpResponse, pathAndQuery, type Send } from '../../client/http-request.js';
import type { EndpointId } from '../../service/endpoints/catalogue.js';
import { redactText } from '../../service/redact.js';
import { stripLogCommands } from '../../system/log-commands.js';
import { CheckBlocked, type RecordedExchange } from './deviation.js';

/** `invalid`: credentials that the service never issued. */
export type CredentialsKind = 'user' | 'none' | 'invalid';

export type RequestTarget = Pick<HttpRequest, 'path' | 'query'>;

export type Curl = (request: RequestTarget, caller: CredentialsKind) => string;

interface Try {
  readonly status: number | undefined;
  readonly milliseconds: number;
  readonly excerpt: string;
  readonly isUtf8: boolean;
}

/** The maximum number of requests in a run, including retries and images. Limits the load on the deployment. */
export const MAX_REQUESTS = 99;

const MAX_EXCERPT_CHARACTERS = 1500;
/** The maximum length of a secret in a URL: a token of 8,192 characters, each of which may become `%XX`. */
const MAX_ENCODED_SECRET = 25_000;

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

  /** Called after the requests of `--wait`, which are not part of the checks. */
  clear(): void {
    this.#tries.clear();
    this.#sent = 0;
  }

  withRecording(caller: CredentialsKind): (send: Send) => Send {
    return (send) => (request) => this.#record(getRequestKey(request, caller), () => send(request));
  }

  /** Throws CheckBlocked instead of sending more than MAX_REQUESTS requests. */
  async #record(key: string, send: () => Promise<HttpResponse>): Promise<HttpResponse> {
    if (this.#sent >= MAX_REQUESTS)
      throw new CheckBlocked(`the run reached its limit of ${MAX_REQUESTS} requests`);
    this.#sent++;
    const started = performance.now();
    const tries = this.#tries.get(key) ?? [];
    this.#tries.set(key, tries);
    try {
      const response = await send();
      const { status, elapsed, bytes } = response;
      tries.push({ status, milliseconds: elapsed, excerpt: getExcerpt(response), isUtf8: isUtf8(bytes) });
      return response;
    } catch (error) {
      const excerpt = error instanceof Error ? error.message : String(error);
      const milliseconds = performance.now() - started;
      tries.push({ status: undefined, milliseconds, excerpt, isUtf8: true });
      throw error;
    }
  }

  sanitize(text: string, maxLength?: number): string {
    return sanitizeText(redactText(text), maxLength);
  }

  getExchange(request: RequestTarget, caller: CredentialsKind, endpoint: EndpointId | ''): RecordedExchange {
    const query = request.query?.map(([name, value]) => [name, redactText(value)] as const) ?? [];
    const tries = this.#tries.get(getRequestKey(request, caller)) ?? [];
    const last = tries.at(-1);
    return {
      endpoint,
      earlier: tries.slice(0, -1).map(({ status, excerpt }) => String(status ?? this.sanitize(excerpt, 100))),
      isUtf8: last?.isUtf8 ?? true,
      request: {
        path: this.sanitize(pathAndQuery(request), 2000),
        status: last?.status ?? null,
        milliseconds: Math.round(last?.milliseconds ?? 0),
        tries: tries.length,
        curl: sanitizeText(this.#curl({ path: redactText(request.path), query }, caller), 4000),
        response: this.sanitize(last?.excerpt ?? '', MAX_EXCERPT_CHARACTERS),
      },
    };
  }
}

function getRequestKey(request: RequestTarget, caller: CredentialsKind): string {
  return `${caller} ${pathAndQuery(request)}`;
}

const MAX_READ_BYTES = 65_536;

/**
 * Removes secrets, and then cuts the text. If opac reads only a part of the response, omits the end of that part, because an
 * incomplete secret may be there.
 */
function getExcerpt({ bytes }: HttpResponse): string {
  const start = redactText(bytes.toString('utf8', 0, MAX_READ_BYTES));
  const safe = bytes.length > MAX_READ_BYTES ? start.slice(0, -MAX_ENCODED_SECRET) : start;
  return safe.slice(0, MAX_EXCERPT_CHARACTERS * 2);
}

const DEFAULT_MAX_CHARACTERS = 300;

/**
 * Returns one line, cut after `maxLength` characters. Spaces replace control characters. U+FFFD replaces lone surrogates and
 * noncharacters, because XML forbids some of them (XML 1.0, section 2.2). Spaces break up commands that CI systems would run.
 */
export function sanitizeText(text: string, maxLength = DEFAULT_MAX_CHARACTERS): string {
  const plain = text
    .slice(0, maxLength * 4)
    .replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\s]+/gu, ' ')
    .replace(/[\p{Cs}\p{Noncharacter_Code_Point}]/gu, '\ufffd');
  const line = stripLogCommands(plain).trim();
  return line.length > maxLength ? `${line.slice(0, maxLength).replace(/\p{Cs}$/u, '')}…` : line;
}
