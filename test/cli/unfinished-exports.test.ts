/** Exports that the service interrupts: opac keeps the records and prints the next command, which completes the file. */
import { mkdir } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { digest, findCommand } from '../e2e/export-setup.js';
import { setUpExport } from './run-in-folder.js';

const MUSEUM = { records: 300 };
const LINE = 'objects export --page-size 10 --concurrency 2 -o out.csv';

/** Returns the text that an uninterrupted export writes. */
async function exportUninterrupted(): Promise<string> {
  const setup = await setUpExport(MUSEUM);
  expect(await setup.run(LINE)).toMatchObject({ code: 0 });
  return setup.text('out.csv');
}

describe('a token that expires', () => {
  it('causes exit code 4 without a client secret, and --resume continues with another token', async () => {
    const expected = await exportUninterrupted();
    const setup = await setUpExport({ ...MUSEUM, access: 'authorized', oauth: { tokenUses: 10 } });
    const first = await setup.run(LINE, { environment: { OPAC_ACCESS_TOKEN: setup.museum.issueToken() } });
    expect(first.code).toBe(4);
    expect(first.stderr).toMatch(
      /\(401\).*\d+0 records are in "out\.csv\.part"; resume with: opac .* --resume\n$/,
    );
    let runs = 0;
    let last = first;
    while (last.code === 4 && runs++ < 9) {
      const environment = { OPAC_ACCESS_TOKEN: setup.museum.issueToken() };
      last = await setup.run(findCommand(last.stderr), { environment });
    }
    expect({ code: last.code, runs, same: digest(await setup.text('out.csv')) }).toEqual({
      code: 0,
      runs: 3,
      same: digest(expected),
    });
  });
});

describe('a page that fails', () => {
  const FAULTS = { ...MUSEUM, faults: [{ kind: 'status', status: 500, after: 20, count: 1 }] } as const;

  it('leaves a gap that the manifest lists, and --resume fills it', async () => {
    const expected = await exportUninterrupted();
    const setup = await setUpExport(FAULTS);
    const first = await setup.run(`${LINE} --retries 0`);
    expect(first.code).toBe(6);
    expect(first.stderr).toMatch(
      /^opac: the export is incomplete: records (\d+)1 to \d+0 are missing: the service failed \(500\).*; 290 records are in out\.incomplete\.csv; export the rest with: opac .* --resume\n$/,
    );
    const incomplete = await setup.manifest('out.incomplete.csv');
    expect(incomplete).toMatchObject({ complete: false, records: 290, gaps: [{ limit: 10 }] });
    expect(incomplete.reasons).toHaveLength(1);
    expect((await setup.run('verify out.incomplete.csv')).code).toBe(6);

    const second = await setup.run(findCommand(first.stderr));
    expect({ code: second.code, same: digest(await setup.text('out.csv')) }).toEqual({
      code: 0,
      same: digest(expected),
    });
    expect(await setup.manifest('out.csv')).toMatchObject({ complete: true, gaps: [], records: 300 });
    // The complete file contains the records of the incomplete file, which was removed.
    expect(await setup.names()).toEqual(['out.csv', 'out.csv.manifest.json']);
  });

  it('stops the export if several pages in a row fail, and --resume completes it', async () => {
    const expected = await exportUninterrupted();
    const setup = await setUpExport({
      ...MUSEUM,
      faults: [{ kind: 'status', status: 500, after: 20, count: 6 }],
    });
    const first = await setup.run(`${LINE} --retries 0`);
    expect(first.code).toBe(6);
    expect(first.stderr).toMatch(
      /^opac: the service failed \(500\).*try again later.*; resume with: opac .* --resume\n$/,
    );
    const second = await setup.run(findCommand(first.stderr).replace(' --retries 0', ''));
    expect({ code: second.code, same: digest(await setup.text('out.csv')) }).toEqual({
      code: 0,
      same: digest(expected),
    });
  });

  it('causes an error without a hint about --resume in an export to standard output', async () => {
    const setup = await setUpExport({ ...MUSEUM, faults: [{ kind: 'status', status: 500, after: 20 }] });
    const { code, stdout, stderr } = await setup.run('objects export --page-size 10 --retries 0 -f csv');
    expect({ code, stdout }).toEqual({ code: 5, stdout: '' });
    expect(stderr).toMatch(/^opac: the service failed \(500\)/);
    expect(stderr).not.toMatch(/part|resume/);
  });
});

describe('--resume', () => {
  it('requires a file', async () => {
    const setup = await setUpExport(MUSEUM);
    for (const target of ['', ' -o -']) {
      const { code, stderr } = await setup.run(`objects export${target} --resume`);
      expect({ code, stderr }).toEqual({ code: 2, stderr: expect.stringContaining('-o <file>') });
    }
    expect(setup.museum.requests).toEqual([]);
  });

  it('accepts a complete export, or none', async () => {
    const setup = await setUpExport(MUSEUM);
    expect(await setup.run(`${LINE} --resume`)).toMatchObject({ code: 0 });
    expect(await setup.run(`${LINE} --resume`)).toMatchObject({ code: 0 });
  });
});

describe('--output', () => {
  it('refuses an invalid target without a request or a new file', async () => {
    const setup = await setUpExport(MUSEUM);
    await mkdir(setup.path('folder'));
    const rows = [
      ['folder', 1, 'it is a folder; name a file in this folder'],
      ['no/such/out.csv', 1, 'the folder "no/such" does not exist'],
      ['/dev/null', 2, 'is not a regular file; write to standard output with -o -'],
    ] as const;
    for (const [target, exit, message] of rows) {
      const { code, stderr } = await setup.run(`objects export -o ${target}`);
      expect({ target, code, stderr }).toEqual({
        target,
        code: exit,
        stderr: expect.stringContaining(message),
      });
    }
    expect(setup.museum.requests).toEqual([]);
    expect(await setup.names()).toEqual(['folder']);
  });
});
