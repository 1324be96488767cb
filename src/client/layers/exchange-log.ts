/** The log of `--debug`: every request and response, without credentials. */

import { grouped } from '../../service/grouped.js';
import { redact } from '../../service/redact.js';
import type { Send } from '../exchange.js';
import { urlOf } from '../wire/transport.js';

export interface ExchangeLogOptions {
  readonly baseUrl: string;
  readonly write: (line: string) => void;
}

export function logExchanges({ baseUrl, write }: ExchangeLogOptions): (send: Send) => Send {
  const log = (line: string) => write(redact(line));
  return (send) => async (request) => {
    const what = `${request.method} ${urlOf(baseUrl, request)}`;
    const headers = Object.entries(request.headers ?? {}).map(([name, value]) => `, ${name}: ${value}`);
    log(`> ${what}${headers.join('')}`);
    try {
      const response = await send(request);
      const type = response.headers['content-type'] ?? 'no type';
      log(
        `< ${response.status} ${type}, ${grouped(response.bytes.length)} bytes in ${grouped(Math.round(response.elapsed))} ms: ${what}`,
      );
      return response;
    } catch (error) {
      log(`< no response: ${error instanceof Error ? error.message : error}`);
      throw error;
    }
  };
}
