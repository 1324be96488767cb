/** Creates the responses of the routes. */

export interface RouteResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export function jsonResponse(body: unknown, status = 200): RouteResponse {
  return jsonTextResponse(JSON.stringify(body), status);
}

export function jsonTextResponse(text: string | Buffer, status = 200): RouteResponse {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  return { status, headers: { 'content-type': 'application/json;charset=UTF-8' }, body };
}

export function htmlResponse(body: string, status = 200): RouteResponse {
  const page = `<!DOCTYPE html>\n<html lang="en"><head><title>Museum</title></head><body>${body}</body></html>\n`;
  return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body: Buffer.from(page) };
}

export function addHeader(response: RouteResponse, name: string, value: string): RouteResponse {
  return { ...response, headers: { ...response.headers, [name]: value } };
}

export function isJsonResponse({ headers }: RouteResponse): boolean {
  return headers['content-type']?.startsWith('application/json') ?? false;
}

/** A route throws this error to respond with `response`. */
export class RouteError extends Error {
  readonly response: RouteResponse;

  constructor(response: RouteResponse, message: string) {
    super(message);
    this.response = response;
  }
}

/** Creates an error with JSON as in FIELD-NOTES.md "Errors". */
export function routeError(status: number, message: string): RouteError {
  return new RouteError(jsonResponse({ message }, status), message);
}

export function createNotFoundError(what: string, id: string): RouteError {
  return routeError(404, `${what} with ID : ${id} does not exist`);
}
