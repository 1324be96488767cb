import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { rememberFields, seenFields } from '../../../../src/cli/commands/items/seen-fields.js';
import type { Context } from '../../../../src/cli/context.js';

function newHome() {
  const folder = mkdtempSync(join(tmpdir(), 'opac-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

const USUAL = { mock: false, baseUrl: undefined, profile: undefined };

/** Of the context only these parts are used. */
const contextOf = (environment: NodeJS.ProcessEnv, settings: object = USUAL) =>
  ({ environment, settings }) as Context;

describe('the fields seen last', () => {
  it('are kept by deployment and kind, the latest first', () => {
    const environment = { OPAC_CONFIG_DIR: newHome() };
    const museum = { ...USUAL, baseUrl: 'https://museum.example' };
    rememberFields(contextOf(environment), 'objects', ['title', 'maker_name']);
    rememberFields(contextOf(environment), 'objects', ['era', 'title']);
    rememberFields(contextOf(environment), 'persons', ['name']);
    rememberFields(contextOf(environment, museum), 'objects', ['other']);
    expect(seenFields(USUAL, 'objects', environment)).toEqual(['era', 'title', 'maker_name']);
    expect(seenFields(USUAL, 'records', environment)).toEqual(['era', 'title', 'maker_name', 'name']);
    expect(seenFields(museum, undefined, environment)).toEqual(['other']);
    expect(seenFields({ ...USUAL, mock: true }, 'objects', environment)).toEqual([]);
  });

  it.runIf(process.platform !== 'win32')(
    'lie where only their owner reads them (needs modes of POSIX)',
    () => {
      const environment = { OPAC_CONFIG_DIR: newHome() };
      rememberFields(contextOf(environment), 'objects', ['title']);
      const folder = join(environment.OPAC_CONFIG_DIR, 'cache');
      const [file = '', ...others] = readdirSync(folder);
      expect(others).toEqual([]);
      expect(statSync(folder).mode & 0o777).toBe(0o700);
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    },
  );

  it('hold nothing that a shell would act on', () => {
    const environment = { OPAC_CONFIG_DIR: newHome() };
    rememberFields(contextOf(environment), 'objects', [
      'a b',
      '$(reboot)',
      'x\n:files',
      '',
      'māori_name',
      ';',
      '-rf',
      ':files',
    ]);
    expect(seenFields(USUAL, 'objects', environment)).toEqual(['māori_name']);
  });

  it('are cleaned when they are read: others may have written there', () => {
    const environment = { OPAC_CONFIG_DIR: newHome() };
    rememberFields(contextOf(environment), 'objects', ['title']);
    const folder = join(environment.OPAC_CONFIG_DIR, 'cache');
    const [file = ''] = readdirSync(folder);
    const planted = [
      '$(reboot)',
      'a\n:files',
      '-rf',
      ':files',
      '\u001b[2J',
      7,
      null,
      {},
      'x'.repeat(9_999),
      'maker',
    ];
    writeFileSync(join(folder, file), JSON.stringify({ objects: planted, persons: 'all' }));
    expect(seenFields(USUAL, undefined, environment)).toEqual(['maker']);
  });

  it('are none, and no error, when they cannot be kept or read', () => {
    const missing = { OPAC_CONFIG_DIR: join(newHome(), 'not', 'there') };
    rememberFields(contextOf(missing), 'objects', ['title']);
    expect(seenFields(USUAL, 'objects', missing)).toEqual([]);

    const environment = { OPAC_CONFIG_DIR: newHome() };
    rememberFields(contextOf(environment), 'objects', ['title']);
    const folder = join(environment.OPAC_CONFIG_DIR, 'cache');
    for (const broken of ['', '[1]', '{"objects":7}']) {
      for (const file of readdirSync(folder)) writeFileSync(join(folder, file), broken);
      expect(seenFields(USUAL, 'objects', environment)).toEqual([]);
    }
  });
});
