/** The three ways to log in, and which of them fits this machine. */
import type { Environment } from '../../client/layers/proxy.js';
import { listenPlace } from '../flow/redirect-uri.js';

export const LOGIN_METHODS = ['browser', 'headless', 'paste'] as const;
export type LoginMethod = (typeof LOGIN_METHODS)[number];

/** Why a browser would be of no use here; the first that holds, holds. */
const OBSTACLES: readonly (readonly [
  holds: (environment: Environment, platform: NodeJS.Platform) => boolean,
  reason: string,
])[] = [
  [
    (environment) => Boolean(environment.SSH_CONNECTION || environment.SSH_TTY),
    'this is an SSH session, and a browser would open elsewhere',
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

/** The method for this machine when none was chosen, and why it is not the browser when it is not. */
export function fittingMethod(
  redirectURI: string,
  environment: Environment,
  platform: NodeJS.Platform,
): { readonly method: LoginMethod; readonly reason?: string } {
  if (!listenPlace(redirectURI)) {
    return { method: 'headless', reason: `the redirect URI "${redirectURI}" does not lead to this machine` };
  }
  const reason = browserObstacle(environment, platform);
  return reason === undefined ? { method: 'browser' } : { method: 'headless', reason };
}

/** Why a browser would be of no use on this machine; undefined when nothing speaks against it. */
export function browserObstacle(environment: Environment, platform: NodeJS.Platform): string | undefined {
  return OBSTACLES.find(([holds]) => holds(environment, platform))?.[1];
}
