/** Where profiles and caches lie on each system: where its other programs have them. */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { afterEach, expect, it, vi } from 'vitest';
import { cacheFolder, configFolder } from '../../../src/auth/store/folders.js';

const PLATFORM = process.platform;
afterEach(() => {
  Object.defineProperty(process, 'platform', { value: PLATFORM });
  vi.unstubAllEnvs();
});

const home = (...names: string[]) => join(homedir(), ...names);

it.each([
  ['linux', {}, home('.config', 'opac'), home('.cache', 'opac')],
  ['linux', { XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/d' }, join('/c/opac'), join('/d/opac')],
  [
    'linux',
    { XDG_CONFIG_HOME: 'c', XDG_CACHE_HOME: '../d' },
    home('.config', 'opac'),
    home('.cache', 'opac'),
  ],
  [
    'darwin',
    { XDG_CONFIG_HOME: '/c', XDG_CACHE_HOME: '/d' },
    home('Library', 'Preferences', 'opac'),
    home('Library', 'Caches', 'opac'),
  ],
  ['win32', { APPDATA: '/r', LOCALAPPDATA: '/l' }, join('/r/opac/Config'), join('/l/opac/Cache')],
  ['win32', {}, home('AppData', 'Roaming', 'opac', 'Config'), home('AppData', 'Local', 'opac', 'Cache')],
])('are found on %s with %j', (platform, environment, config, cache) => {
  Object.defineProperty(process, 'platform', { value: platform });
  for (const name of ['APPDATA', 'LOCALAPPDATA', 'XDG_CONFIG_HOME', 'XDG_CACHE_HOME'])
    vi.stubEnv(name, Reflect.get(environment, name));
  expect([configFolder(), cacheFolder(environment)]).toEqual([config, cache]);
});
