/** Sends requests to a museum. */
import type { Museum } from '../../src/mock/index.js';

export type Body = Record<string, unknown>;

/** Sends a GET request to a path below `/api/v3`. Returns the status and the JSON of the response. */
export async function getJson(
  museum: Museum,
  path: string,
  headers: Record<string, string> = {},
): Promise<{ status: number; body: Body }> {
  const response = await fetch(`${museum.url}/api/v3${path}`, { headers });
  return { status: response.status, body: (await response.json()) as Body };
}

/** Returns the list in a page, under any key; `[]` if the page has no list. */
export function listOf(body: Body): Body[] {
  return (Object.values(body).find((value) => Array.isArray(value)) ?? []) as Body[];
}

/** Reads all records of a search, up to the first empty page. */
export async function readAllPages(museum: Museum, path: string, limit: number): Promise<Body[]> {
  const records: Body[] = [];
  for (let offset = 0; ; offset += limit) {
    const separator = path.includes('?') ? '&' : '?';
    const page = listOf((await getJson(museum, `${path}${separator}limit=${limit}&offset=${offset}`)).body);
    if (page.length === 0) return records;
    records.push(...page);
  }
}
