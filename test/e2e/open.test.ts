/** `opac open`: the public page of a record. */
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createFolder, opac } from './opac.js';
import { runAgainstMuseum } from './run-against-museum.js';

const BASE = 'https://collection.example.org/folder';

/** Creates a config folder with one profile, which is the current profile. */
async function writeProfile(values: object): Promise<string> {
  const folder = await createFolder();
  const file = join(folder, 'profiles.json');
  const museum = { baseUrl: BASE, scheme: 'anonymous', ...values };
  await writeFile(file, JSON.stringify({ current: 'museum', profiles: { museum } }));
  await chmod(file, 0o600);
  return folder;
}

describe('opac open', () => {
  it.each([
    ['objects 20011', '/objects/20011'],
    ['person 5003', '/persons/5003'],
    ['venue "a/b c"', '/venues/a%2Fb%20c'],
  ])('prints the URL of %s if there is no browser', async (line, path) => {
    const { code, stdout, stderr } = await opac(
      [
        'open',
        ...line.split(/ (?=[^"]*(?:"[^"]*"[^"]*)*$)/).map((word) => word.replaceAll('"', '')),
        '--base-url',
        BASE,
      ],
      { environment: { SSH_TTY: '/dev/pts/0' } },
    );
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${BASE}${path}\n` });
    expect(stderr).toContain('SSH session');
  });

  it('prints only the URL with --print, and sends no requests', async () => {
    const { stdout, stderr, requests } = await runAgainstMuseum('open objects 1 --print');
    expect(stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/objects\/1\n$/);
    expect({ stderr, requests }).toEqual({ stderr: '', requests: [] });
  });

  it('uses the URL pattern of the profile', async () => {
    const OPAC_CONFIG_DIR = await writeProfile({ publicPage: 'https://museum.example/{kind}?id={id}' });
    const { stdout } = await opac(['open', 'objects', '7', '--print'], { environment: { OPAC_CONFIG_DIR } });
    expect(stdout).toBe('https://museum.example/objects?id=7\n');
  });

  it('requests the record if the URL pattern contains the slug', async () => {
    const publicPage = 'https://museum.example/{slug}/{id}';
    const OPAC_CONFIG_DIR = await writeProfile({ publicPage });
    const { stdout } = await opac(['open', 'objects', '7', '--dry-run'], {
      environment: { OPAC_CONFIG_DIR },
    });
    expect(stdout).toBe(`curl -sS --compressed '${BASE}/api/v3/opacobjects/7'\n`);
  });

  it.each([
    ['records 1', 'invalid kind'],
    ['objekts 1', 'did you mean "objects"?'],
    ['objects ..', 'invalid id'],
  ])('refuses the arguments %s', async (line, message) => {
    const { code, stderr } = await opac(['open', ...line.split(' '), '--mock']);
    expect(code).toBe(2);
    expect(stderr).toContain(message);
  });
});
