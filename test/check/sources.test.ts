/** Each check cites a document that opac prints, so that users can read the promise. */
import { expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';

interface Listed {
  readonly source: string;
}

const CITATION = /opac help ([\w-]+), "([^"]+)"/g;

it('every section that a check cites exists in its help topic', async () => {
  const { stdout } = await opac(['check', '--list', '-f', 'json']);
  const sources = new Set((JSON.parse(stdout) as Listed[]).map(({ source }) => source));
  expect([...sources].filter((source) => !/opac help|option --|^RFC/.test(source))).toEqual([]);
  const cited = [...sources].flatMap((source) => [...source.matchAll(CITATION)]);
  expect(cited.length).toBeGreaterThan(40);
  const topics = new Map<string, string>();
  for (const [, topic = ''] of cited)
    if (!topics.has(topic)) topics.set(topic, (await opac(['help', topic])).stdout.toLowerCase());
  expect([...topics.keys()].sort()).toEqual(['field-notes', 'interface']);
  const missing = cited.filter(
    ([, topic = '', section = '']) => !topics.get(topic)?.includes(section.toLowerCase()),
  );
  expect(missing.map(([text]) => text)).toEqual([]);
});
