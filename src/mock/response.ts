/** What a route answers, before it is sent. */

export interface RouteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A JSON answer. */
export function jsonResponse(body: unknown, status = 200): RouteResponse {
  return jsonTextResponse(JSON.stringify(body), status);
}

/** A JSON answer whose text is already there. */
export function jsonTextResponse(text: string | Buffer, status = 200): RouteResponse {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  return { status, headers: { 'content-type': 'application/json;charset=UTF-8' }, body };
}

/** An HTML page. */
export function htmlResponse(body: string, status = 200): RouteResponse {
  const page = `<!DOCTYPE html>\n<html lang="en"><head><title>Museum</title></head><body>${body}</body></html>\n`;
  return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body: Buffer.from(page) };
}

/** Thrown by a route in place of its answer. */
export class RouteError extends Error {
  readonly response: RouteResponse;

  constructor(answer: RouteResponse, message: string) {
    super(message);
    this.response = answer;
  }
}

/** A refusal in the service's form of an error, `{"message": …}` (FIELD-NOTES.md "Errors"). */
export function routeError(status: number, message: string): RouteError {
  return new RouteError(jsonResponse({ message }, status), message);
}

/** No such record, in the service's words. */
export function notFound(what: string, id: string): RouteError {
  return routeError(404, `${what} with ID : ${id} does not exist`);
}
