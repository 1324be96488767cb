/** The folder of the profiles is where other programs of the operating system store their settings. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { findConfigFolder } from '../../../src/auth/store/folders.js';

const PLATFORM = process.platform;
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: PLATFORM });
  vi.unstubAllEnvs();
});

const home = (...names: string[]) => join(homedir(), ...names);

it.each([
  ['linux', {}, home('.config', 'opac')],
  ['linux', { XDG_CONFIG_HOME: '/c' }, join('/c/opac')],
  ['linux', { XDG_CONFIG_HOME: 'c' }, home('.config', 'opac')],
  ['darwin', { XDG_CONFIG_HOME: '/c' }, home('Library', 'Preferences', 'opac')],
  ['win32', { APPDATA: '/r' }, join('/r/opac/Config')],
  ['win32', {}, home('AppData', 'Roaming', 'opac', 'Config')],
])('findConfigFolder returns the usual folder on %s with %j', (platform, environment, config) => {
  Object.defineProperty(process, 'platform', { value: platform });
  for (const name of ['APPDATA', 'XDG_CONFIG_HOME']) vi.stubEnv(name, Reflect.get(environment, name));
  expect(findConfigFolder()).toBe(config);
});
