/** Text of a service, a file or an argument does not control a terminal. A pipe receives the exact text. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { sendJson, serve } from '../client/server.js';
import { opac } from './run-in-process.js';

/** Sequences for the title, the color and the screen, control characters, directions, and characters without width. */
const HOSTILE = 'a\u001b]0;x\u0007b\u001b[31mc\u009b2Jd\u007fe\u202ef\u2066g\u200bh\rI\u0085j\u{e0041}k';
const UNSAFE =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what it is about
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u{e0000}-\u{e007f}]/u;

const record = { opacObjectId: '7\u009b1', title: HOSTILE, recordType: 'object', [HOSTILE]: HOSTILE };

async function serveHostileRecord(): Promise<string> {
  const { url } = await serve((request, response) => {
    const offset = Number(new URL(request.url ?? '', 'http://x').searchParams.get('offset') ?? 0);
    sendJson(response, { totalObjects: 1, objects: offset > 0 ? [] : [record] });
  });
  return url;
}

const createOptions = (url: string) => ({
  environment: { OPAC_BASE_URL: url, OPAC_BASIC_KEY: 'key-of-museum', NO_COLOR: '1' },
});

describe('messages and cards', () => {
  it.each<[string, string[]]>([
    ['a mistyped column', ['objects', 'list', '--mock', '--columns', `titel${HOSTILE}`]],
    [
      'a mistyped column with a suggestion',
      ['objects', 'list', '--mock', '--columns', `maker${HOSTILE}_nam`],
    ],
    ['a mistyped rule', ['objects', 'export', '--mock', '--multi', `rows=${HOSTILE}`]],
    ['a mistyped command', [HOSTILE]],
    ['a missing file', ['verify', `/nowhere/${HOSTILE}`]],
    ['a base URL', ['objects', 'list', '--base-url', `http://${HOSTILE}`]],
  ])('contain no unsafe characters: %s', async (_, words) => {
    for (const flags of [[], ['--debug']]) {
      const { stderr, code } = await opac([...words, ...flags], { environment: { NO_COLOR: '1' } });
      expect(code).not.toBe(0);
      expect(stderr).not.toMatch(UNSAFE);
    }
  });

  it('contain no unsafe characters from headers and messages of a service', async () => {
    const { url } = await serve((_, response) => {
      response.setHeader('content-type', 'application/json\u009b31m;\u0085x');
      response.writeHead(500).end(JSON.stringify({ message: HOSTILE }));
    });
    for (const words of [
      ['objects', 'list'],
      ['api', '/opacobjects', '--include'],
    ]) {
      const { stderr } = await opac([...words, '--retries', '0', '--debug'], createOptions(url));
      expect(stderr).toContain('500');
      expect(stderr).not.toMatch(UNSAFE);
    }
  });

  it('contain no log command at the start of a colored line', async () => {
    const title = `${'x '.repeat(20)}::error::pwn`;
    const { url } = await serve((_, response) =>
      sendJson(response, { totalObjects: 1, objects: [{ ...record, title }] }),
    );
    const environment = {
      OPAC_BASE_URL: url,
      OPAC_BASIC_KEY: 'key-of-museum',
      FORCE_COLOR: '1',
      COLUMNS: '40',
    };
    const words = ['objects', 'list', '--limit', '1', '-f', 'card'];
    const { stdout } = await opac(words, { environment });
    const plain = stripVTControlCharacters(stdout);
    expect([stdout !== plain, plain.includes('error::pwn')]).toEqual([true, true]);
    expect(plain).not.toMatch(/^\s*::/m);
  });

  it('contain no log commands of Azure Pipelines, TeamCity or GitHub', async () => {
    const COMMANDS =
      'x##vso[task.setvariable variable=A]y ##teamcity[z ##[error]\n::error::w\r\n::stop-commands::v';
    const { url } = await serve((_, response) => {
      response.setHeader('x-more', COMMANDS.replace(/[\r\n]/g, ' '));
      response.writeHead(500).end(JSON.stringify({ message: COMMANDS }));
    });
    for (const flags of [[], ['--debug'], ['--verbose']]) {
      const { stderr } = await opac(['objects', 'list', '--retries', '0', ...flags], createOptions(url));
      expect(stderr).toContain('task.setvariable');
      expect(stderr).not.toMatch(/##\w*\[|^\s*::/m);
    }
  });

  it('contain no log command at the start of a wrapped line', async () => {
    const { url } = await serve((_, response) => {
      response.writeHead(500).end(JSON.stringify({ message: 'some words ::error::x '.repeat(9) }));
    });
    for (const columns of [40, 47, 60, 80]) {
      const { stderr } = await opac(['objects', 'list', '--retries', '0'], {
        ...createOptions(url),
        columns,
      });
      expect(stderr).toContain('some words');
      expect(stderr).not.toMatch(/^\s*::/m);
    }
  });

  it('contain no log command at the start of a line of a hint', async () => {
    const label = 'Rita Angus\n::error::x\n \t::stop-commands::y';
    const facet = { facetId: 'maker_name', facetType: 'text', facetLabelValues: [{ label, value: 1 }] };
    const { url } = await serve(({ url: path }, response) =>
      sendJson(response, path?.includes('/facets/') ? facet : { totalObjects: 0, objects: [] }),
    );
    const { stderr } = await opac(
      ['objects', 'list', '--facet', 'maker_name=Rita Angsu'],
      createOptions(url),
    );
    expect(stderr).toContain('Rita Angus');
    expect(stderr).not.toMatch(/^\s*::/m);
  });

  it('are never written with stderr.write, console.error or console.warn', async () => {
    const source = fileURLToPath(new URL('../../src', import.meta.url));
    const files = (await readdir(source, { recursive: true })).filter((name) => name.endsWith('.ts'));
    const writing: string[] = [];
    for (const name of files) {
      const text = await readFile(join(source, name), 'utf8');
      if (/stderr\.write\(|console\.(error|warn)\(/.test(text)) writing.push(relative('.', name));
    }
    expect(files.length).toBeGreaterThan(100);
    expect(writing).toEqual([]);
  });
});

describe('standard output', () => {
  it.each(['tsv', 'csv', 'ids', 'json', 'ndjson', 'table'])(
    'contains no unsafe characters as %s on a terminal',
    async (format) => {
      const url = await serveHostileRecord();
      const shown = await opac(['objects', 'list', '-f', format], { ...createOptions(url), columns: 100 });
      expect(shown.code).toBe(0);
      expect(shown.stdout.length).toBeGreaterThan(0);
      expect(shown.stdout).not.toMatch(UNSAFE);
    },
  );

  it.each(['tsv', 'csv', 'ids', 'json', 'ndjson'])(
    'contains no unsafe characters as an export of %s on a terminal',
    async (format) => {
      const url = await serveHostileRecord();
      const shown = await opac(['objects', 'export', '-f', format], { ...createOptions(url), columns: 100 });
      expect(shown.stdout).toContain('7');
      expect(shown.stdout).not.toMatch(UNSAFE);
    },
  );

  it.each([
    ['card', true],
    ['table', true],
    ['csv', false],
    ['tsv', false],
  ])('contains no log commands of CI systems as %s: %s', async (format, isSafe) => {
    const title = '::error::x ##vso[task.complete]';
    const { url } = await serve((_, response) =>
      sendJson(response, {
        totalObjects: 1,
        objects: [{ ...record, title: `${title}\n\n::set-output name=a::b` }],
      }),
    );
    const words = ['objects', 'list', '--limit', '1', '-f', format];
    for (const columns of [[], ['--columns', 'title']]) {
      const { code, stdout } = await opac([...words, ...columns], createOptions(url));
      expect([code, stdout.includes('task.complete')]).toEqual([0, true]);
      expect(!/##\w*\[|^\s*::/m.test(stdout)).toBe(isSafe);
    }
  });

  it.each(['card', 'table'])('contains no log commands in a comparison as %s', async (format) => {
    const folder = await mkdtemp(join(tmpdir(), 'opac-commands-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const [old, now] = [join(folder, 'old.ndjson'), join(folder, 'now.ndjson')];
    const more = { ...record, title: '::error::x ##vso[task.complete]', slug: '::set-output name=a::b' };
    await writeFile(old, `${JSON.stringify({ ...record, title: 'a' })}\n`);
    await writeFile(now, `${JSON.stringify(more)}\n`);
    const { code, stdout } = await opac(['diff', old, now, '-f', format]);
    expect([code, stdout.includes('task.complete')]).toEqual([0, true]);
    expect(stdout).not.toMatch(/##\w*\[|^\s*::/m);
  });

  it.each([['-f', 'card'], ['-f', 'table'], []])(
    'contains no log commands from a manifest: %s %s',
    async (...format) => {
      const folder = await mkdtemp(join(tmpdir(), 'opac-commands-'));
      onTestFinished(() => rm(folder, { recursive: true, force: true }));
      const file = join(folder, 'a.ndjson');
      await opac(['objects', 'export', '--mock', '--limit', '1', '-o', file]);
      const manifest = await readFile(`${file}.manifest.json`, 'utf8');
      const finished = '"finished": "##vso[task.complete]"';
      await writeFile(`${file}.manifest.json`, manifest.replace(/"finished": "[^"]*"/, finished));
      const { stdout } = await opac(['verify', file, ...format]);
      expect(stdout).toContain('task.complete');
      expect(stdout).not.toMatch(/##\w*\[/);
    },
  );

  it('keeps the value of JSON on a terminal, and the exact TSV and NDJSON in a pipe', async () => {
    const url = await serveHostileRecord();
    const shown = await opac(['objects', 'list', '-f', 'json'], { ...createOptions(url), columns: 100 });
    expect(JSON.parse(shown.stdout)).toEqual([record]);
    const piped = await opac(['objects', 'list', '-f', 'tsv', '--columns', 'title'], createOptions(url));
    expect(piped.stdout).toContain(HOSTILE.replaceAll('"', '""'));
    const exported = await opac(['objects', 'export', '-f', 'ndjson'], createOptions(url));
    expect(exported.stdout).toContain(JSON.stringify(HOSTILE).slice(1, -1));
  });

  it('contains no unsafe characters from a manifest', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'opac-hostile-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const target = join(folder, 'o.csv');
    expect((await opac(['objects', 'export', '--mock', '-o', target, '--limit', '3'])).code).toBe(0);
    const [name = ''] = (await readdir(folder)).filter((each) => each.endsWith('.manifest.json'));
    const manifest = join(dirname(target), name);
    const read = JSON.parse(await readFile(manifest, 'utf8')) as Record<string, unknown>;
    const changed = { ...read, complete: false, reasons: [HOSTILE], finished: HOSTILE };
    await writeFile(manifest, JSON.stringify(changed));
    for (const format of [[], ['-f', 'json']]) {
      const { stdout, stderr } = await opac(['verify', target, ...format], {
        columns: 100,
        environment: { NO_COLOR: '1' },
      });
      expect(stdout + stderr).not.toMatch(UNSAFE);
      expect(stdout).toContain('incomplete');
    }
  });
});
