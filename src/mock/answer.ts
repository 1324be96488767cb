/** What a route answers, before it is sent. */

export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** A JSON answer. */
export function json(body: unknown, status = 200): Answer {
  return jsonText(JSON.stringify(body), status);
}

/** A JSON answer whose text is already there. */
export function jsonText(text: string | Buffer, status = 200): Answer {
  const body = typeof text === 'string' ? Buffer.from(text) : text;
  return { status, headers: { 'content-type': 'application/json;charset=UTF-8' }, body };
}

/** An HTML page. */
export function html(body: string, status = 200): Answer {
  const page = `<!DOCTYPE html>\n<html lang="en"><head><title>Museum</title></head><body>${body}</body></html>\n`;
  return { status, headers: { 'content-type': 'text/html;charset=UTF-8' }, body: Buffer.from(page) };
}

/** Thrown by a route in place of its answer. */
export class Refusal extends Error {
  readonly answer: Answer;

  constructor(answer: Answer, message: string) {
    super(message);
    this.answer = answer;
  }
}

/** A refusal in the service's form of an error, `{"message": …}` (FIELD-NOTES.md "Errors"). */
export function refuse(status: number, message: string): Refusal {
  return new Refusal(json({ message }, status), message);
}

/** No such record, in the service's words. */
export function notFound(what: string, id: string): Refusal {
  return refuse(404, `${what} with ID : ${id} does not exist`);
}
