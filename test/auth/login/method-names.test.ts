import { describe, expect, it } from 'vitest';
import {
  chooseDefaultMethod,
  findBrowserObstacle,
  suggestOtherMethods,
} from '../../../src/auth/login/method-names.js';

const LOOPBACK = 'http://127.0.0.1:8765/callback';

describe('chooseDefaultMethod', () => {
  it.each([
    ['a Linux desktop', LOOPBACK, { DISPLAY: ':0' }, 'linux', 'browser'],
    ['a Wayland desktop', LOOPBACK, { WAYLAND_DISPLAY: 'wayland-0' }, 'linux', 'browser'],
    ['the Windows Subsystem for Linux', LOOPBACK, { WSL_DISTRO_NAME: 'Debian' }, 'linux', 'browser'],
    ['a Mac', LOOPBACK, {}, 'darwin', 'browser'],
    ['a server', LOOPBACK, {}, 'linux', 'headless'],
    ['an SSH session', LOOPBACK, { DISPLAY: ':0', SSH_CONNECTION: '::1' }, 'linux', 'headless'],
    ['an SSH session to a Mac', LOOPBACK, { SSH_TTY: '/dev/ttys0' }, 'darwin', 'headless'],
    [
      'a redirect URI of another machine',
      'https://app.museum.example/',
      { DISPLAY: ':0' },
      'linux',
      'headless',
    ],
  ] as const)(
    'returns the method for %s, and a reason if it is not browser',
    (_, redirectURI, environment, platform, method) => {
      const fitting = chooseDefaultMethod(redirectURI, environment, platform);
      expect(fitting.method).toBe(method);
      expect(fitting.reason === undefined).toBe(method === 'browser');
    },
  );

  it('returns the reason for another method, and suggests other methods', () => {
    const { reason } = chooseDefaultMethod('https://app.museum.example/', {}, 'linux');
    expect(reason).toBe('the redirect URI "https://app.museum.example/" does not lead to this machine');
    expect(findBrowserObstacle({ SSH_TTY: 'x' }, 'linux')).toBe(
      'this is an SSH session, and a browser would open on the remote machine',
    );
    expect(findBrowserObstacle({}, 'linux')).toBe('this machine has no desktop, so a browser cannot open');
    expect(suggestOtherMethods('browser')).toBe(
      'log in with "opac login --method headless" or "--method paste"',
    );
  });
});
