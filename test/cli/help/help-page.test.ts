/** `opac help <topic>` prints the pages of docs/. */
import { expect, it } from 'vitest';
import { TOPICS } from '../../../src/cli/help/topics.js';
import { opac } from '../run-in-process.js';

const ENVIRONMENT = { NO_COLOR: '1' };

it('removes Markdown syntax, and wraps lines except in code and in pages with wide tables', async () => {
  for (const [name, load] of TOPICS) {
    // The documents of the service have wide tables.
    if (name === 'interface' || name === 'field-notes') continue;
    const { stdout } = await opac(['help', name], { columns: 80, environment: ENVIRONMENT });
    const markdown = await load();
    const code = Array.from(markdown.matchAll(/^```.*\n([\s\S]*?)^```$/gm), ([, block = '']) => block).join(
      '',
    );
    const lines = stdout.split('\n');
    const tooLong = lines.filter((line) => line.length > 80 && !code.includes(line.trim()));
    if (!/^\| \| .* \|$/m.test(markdown)) expect(tooLong, name).toEqual([]);
    const text = lines.filter((line) => !code.includes(line.trim())).join('\n');
    expect(text, name).not.toMatch(/```|\*\*|\]\(|^\||^#/m);
    for (const line of code.split('\n')) expect(stdout).toContain(line);
  }
});

it('wraps paragraphs, list items and the last cells of tables', async () => {
  const { stdout } = await opac(['help', 'environment'], { columns: 60, environment: ENVIRONMENT });
  expect(stdout).toMatch(/^Environment variables\n\nOptions take precedence over variables/);
  expect(stdout).toMatch(/^ {2}OPAC_BASE_URL +the URL of the deployment, like\n {20,}--base-url$/m);
  const searching = await opac(['help', 'searching'], { columns: 60, environment: ENVIRONMENT });
  expect(searching.stdout).toMatch(/^- A record matches if .*\n {2}\S/m);
  expect(searching.stdout).toContain('columns (opac help formats)');
});
