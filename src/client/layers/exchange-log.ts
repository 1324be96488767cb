/** Writes every request and answer down, as they cross the network, without credentials: what `--debug` shows. */
import type { Send } from '../exchange.js';
import { redact } from '../redact.js';
import { urlOf } from './transport.js';

export interface ExchangeLogOptions {
  readonly baseUrl: string;
  /** Takes one line, without its end. */
  readonly write: (line: string) => void;
  /** Values that must not be shown wherever they stand. */
  readonly secrets?: Iterable<string> | undefined;
}

/** A layer for `ClientOptions.around`. */
export function logExchanges({ baseUrl, write, secrets = [] }: ExchangeLogOptions): (send: Send) => Send {
  const say = (line: string) => write(redact(line, secrets));
  return (send) => async (request) => {
    const what = `${request.method} ${urlOf(baseUrl, request)}`;
    say(`> ${what}${Object.entries(request.headers ?? {}).map(([name, value]) => `, ${name}: ${value}`)}`);
    try {
      const answer = await send(request);
      const type = answer.headers['content-type'] ?? 'no type';
      say(
        `< ${answer.status} ${type}, ${answer.bytes.length} bytes in ${Math.round(answer.elapsed)} ms: ${what}`,
      );
      return answer;
    } catch (error) {
      say(`< no answer: ${error instanceof Error ? error.message : error}`);
      throw error;
    }
  };
}
