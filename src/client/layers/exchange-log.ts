/** Logs every request and response for `--debug`, without credentials. */
import { formatNumber } from '../../service/format-numbers.js';
import { redactText } from '../../service/redact.js';
import type { Send } from '../http-request.js';
import { resolveUrl } from '../transport/transport.js';

export function withExchangeLog({
  baseUrl,
  write,
}: {
  readonly baseUrl: string;
  readonly write: (line: string) => void;
}): (send: Send) => Send {
  const log = (line: string) => write(redactText(line));
  return (send) => async (request) => {
    const what = `${request.method} ${resolveUrl(baseUrl, request)}`;
    const headers = Object.entries(request.headers ?? {}).map(([name, value]) => `, ${name}: ${value}`);
    log(`> ${what}${headers.join('')}`);
    try {
      const response = await send(request);
      const type = response.headers['content-type'] ?? 'no type';
      log(
        `< ${response.status} ${type}, ${formatNumber(response.bytes.length)} bytes in ${formatNumber(Math.round(response.elapsed))} ms: ${what}`,
      );
      return response;
    } catch (error) {
      log(`< no response: ${error instanceof Error ? error.message : error}`);
      throw error;
    }
  };
}
