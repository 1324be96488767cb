/** Asks a museum over HTTP. */
import type { Museum } from '../../src/mock/index.js';

export type Body = Record<string, unknown>;

/** The JSON answer to a GET below `/api/v3`. */
export async function getJson(
  museum: Museum,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${museum.url}/api/v3${path}`, { headers });
  return { status: response.status, body: (await response.json()) as Body };
}

/** The list of a page, whatever its key; an absent list is empty. */
export function listOf(body: Body): Body[] {
  return (Object.values(body).find((value) => Array.isArray(value)) ?? []) as Body[];
}

/** All records of a search, page by page up to the first empty one. */
export async function readAllPages(museum: Museum, path: string, limit: number): Promise<Body[]> {
  const records: Body[] = [];
  for (let offset = 0; ; offset += limit) {
    const joint = path.includes('?') ? '&' : '?';
    const page = listOf((await getJson(museum, `${path}${joint}limit=${limit}&offset=${offset}`)).body);
    if (page.length === 0) return records;
    records.push(...page);
  }
}
