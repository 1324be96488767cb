/** The names of the login methods, and which one suits this machine. Their code is in `methods.ts`: help and completion load only this. */
import type { Environment } from '../../client/wire/proxy.js';
import { loopbackRedirect } from '../flow/redirect-uri.js';

export const METHOD_HELP = {
  browser: 'browser',
  headless: 'headless (no browser needed)',
  paste: 'paste (from another machine)',
} as const;

export type LoginMethod = keyof typeof METHOD_HELP;
export const LOGIN_METHODS = Object.keys(METHOD_HELP) as readonly LoginMethod[];

const OBSTACLES: readonly (readonly [
  applies: (environment: Environment, platform: NodeJS.Platform) => boolean,
  reason: string,
])[] = [
  [
    (environment) => Boolean(environment.SSH_CONNECTION || environment.SSH_TTY),
    'this is an SSH session, and a browser would open on the other machine',
  ],
  [
    (environment, platform) =>
      platform === 'linux' &&
      !environment.DISPLAY &&
      !environment.WAYLAND_DISPLAY &&
      !environment.WSL_DISTRO_NAME,
    'there is no desktop to open a browser on',
  ],
];

export function defaultMethod(
  redirectURI: string,
  environment: Environment,
  platform: NodeJS.Platform,
): { readonly method: LoginMethod; readonly reason?: string } {
  if (!loopbackRedirect(redirectURI)) {
    return { method: 'headless', reason: `the redirect URI "${redirectURI}" does not lead to this machine` };
  }
  const reason = browserObstacle(environment, platform);
  return reason === undefined ? { method: 'browser' } : { method: 'headless', reason };
}

export function browserObstacle(environment: Environment, platform: NodeJS.Platform): string | undefined {
  return OBSTACLES.find(([applies]) => applies(environment, platform))?.[1];
}

export function otherMethods(method: LoginMethod): string {
  const others = LOGIN_METHODS.filter((other) => other !== method);
  return `log in with "opac login --method ${others.join('" or "--method ')}"`;
}
