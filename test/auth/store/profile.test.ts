/** Profiles: their names, their entries in the file, and their settings. */
import { describe, expect, it } from 'vitest';
import {
  hasSecrets,
  isForBaseUrl,
  isUnusable,
  type Profile,
  parseProfile,
  parseProfileName,
  profileSettings,
  serializeProfile,
  withSetting,
} from '../../../src/auth/store/profile.js';

const ENTRY = { baseUrl: 'https://museum.example', scheme: 'bearer' };
const PROFILE: Profile = { name: 'a', baseUrl: 'https://museum.example', scheme: 'bearer' };

describe('the entry of a profile', () => {
  it.each([
    ['clientId', 'id'],
    ['redirectURI', 'https://x.example/'],
    ['challengeForm', 'PLAIN'],
    ['accessToken', 't'],
    ['issuedAt', 0],
    ['expiresAt', 8.64e15],
    ['basicKey', 'k'],
    ['clientSecret', 's'],
    ['secretInKeyring', false],
    ['allowHttp', true],
    ['publicPage', 'https://x.example/{id}'],
    ['settings', {}],
    ['settings', { retries: '3' }],
  ])('accepts %s %j', (key, value) => {
    expect(parseProfile('a', { ...ENTRY, [key]: value })).toEqual({ ...PROFILE, [key]: value });
  });

  it.each<[string, unknown]>([
    ['scheme', undefined],
    ['scheme', 'digest'],
    ['baseUrl', undefined],
    ['baseUrl', ''],
    ['baseUrl', 7],
    ['baseUrl', 'ftp://museum.example'],
    ['baseUrl', 'see https://museum.example'],
    ['baseUrl', 'https://'],
    ['clientId', ''],
    ['clientId', null],
    ['challengeForm', 'toString'],
    ['issuedAt', '0'],
    ['issuedAt', Number.NaN],
    ['expiresAt', 8.65e15],
    ['allowHttp', 'yes'],
    ['secretInKeyring', 1],
    ['settings', null],
    ['settings', 'x'],
    ['settings', []],
    ['settings', { retries: 3 }],
    ['settings', { retries: '' }],
  ])('refuses %s %j', (key, value) => {
    const read = () => parseProfile('a', { ...ENTRY, [key]: value });
    expect(read).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: `profile "a" has no valid ${key}`,
        hint: 'log in again with "opac login -p a", or remove it with "opac profiles remove a"',
      }),
    );
    expect(read).toThrow(expect.toSatisfy(isUnusable));
  });

  it('keeps unknown keys when it is saved, and replaces all known keys', () => {
    const previous = { ...ENTRY, clientId: 'old', later: [2] };
    expect(parseProfile('a', previous)).not.toHaveProperty('later');
    expect(serializeProfile(PROFILE, previous)).toEqual({ ...ENTRY, later: [2] });
    expect(serializeProfile(PROFILE)).toEqual(ENTRY);
    expect(isUnusable(new Error('another'))).toBe(false);
  });

  it.each([
    [{}, false],
    [{ clientId: 'id' }, false],
    [{ accessToken: 't' }, true],
    [{ basicKey: 'k' }, true],
    [{ clientSecret: 's' }, true],
    [{ secretInKeyring: true }, true],
  ])('contains a secret with %j: %s', (more, expected) => {
    expect(hasSecrets({ ...PROFILE, ...more })).toBe(expected);
  });
});

describe('the name of a profile', () => {
  it.each(['a', '9', 'te-papa.v3_', 'x'.repeat(64)])('accepts %s', (name) => {
    expect(parseProfileName(name)).toBe(name);
  });

  it.each(['', '-a', '.a', 'a b', 'a/b', 'a\n', 'x'.repeat(65)])('refuses %j', (name) => {
    expect(() => parseProfileName(name)).toThrow(
      expect.objectContaining({
        kind: 'usage',
        message: `invalid profile name ${JSON.stringify(name)}`,
        hint: 'use up to 64 letters, digits, dots, hyphens and underscores, starting with a letter or digit',
      }),
    );
  });
});

describe('the settings of a profile', () => {
  it('include allow-http as yes or no', () => {
    expect(profileSettings(PROFILE)).toEqual({});
    expect(profileSettings({ ...PROFILE, allowHttp: true })).toEqual({ 'allow-http': 'yes' });
    const settings = { retries: '3' };
    expect(profileSettings({ ...PROFILE, settings, allowHttp: false })).toEqual({
      ...settings,
      'allow-http': 'no',
    });
  });

  it('are added, replaced and removed without a change to other settings', () => {
    const one = withSetting(PROFILE, 'retries', '3');
    expect(one).toEqual({ ...PROFILE, settings: { retries: '3' } });
    const two = withSetting(one, 'quiet', true);
    expect(two).toEqual({ ...PROFILE, settings: { retries: '3', quiet: 'yes' } });
    expect(withSetting(two, 'retries', '5').settings).toEqual({ quiet: 'yes', retries: '5' });
    expect(withSetting(two, 'retries', undefined)).toEqual({ ...PROFILE, settings: { quiet: 'yes' } });
    expect(withSetting(one, 'retries', undefined)).toEqual(PROFILE);
    expect(withSetting(one, 'allow-http', false)).toEqual({ ...one, allowHttp: false });
    expect(withSetting({ ...one, allowHttp: true }, 'allow-http', undefined)).toEqual(one);
  });
});

it.each([
  ['https://museum.example/', true],
  ['https://MUSEUM.example/api/v3', true],
  ['http://museum.example', false],
  ['https://museum.example/b', false],
])('isForBaseUrl compares https://museum.example with %s: %s', (address, expected) => {
  expect(isForBaseUrl(PROFILE, address)).toBe(expected);
  expect(isForBaseUrl({ ...PROFILE, baseUrl: 'http://museum.example' }, 'http://museum.example')).toBe(true);
});
