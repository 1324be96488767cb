/** The names of the login methods, and which one suits this machine. Their code is in `methods.ts`: help and completion load only this. */
import type { Environment } from '../../client/transport/proxy.js';
import { loopbackRedirect } from '../flow/redirect-uri.js';

export const METHOD_HELP = {
  browser: 'browser',
  headless: 'headless (no browser needed)',
  paste: 'paste (from another machine)',
} as const;

export type LoginMethod = keyof typeof METHOD_HELP;
export const LOGIN_METHODS = Object.keys(METHOD_HELP) as readonly LoginMethod[];

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

/** Why no browser can be opened here; undefined where one can. */
export function browserObstacle(environment: Environment, platform: NodeJS.Platform): string | undefined {
  const { SSH_CONNECTION, SSH_TTY, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = environment;
  if (SSH_CONNECTION || SSH_TTY)
    return 'this is an SSH session, and a browser would open on the other machine';
  const hasDesktop = platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY || WSL_DISTRO_NAME;
  return hasDesktop ? undefined : 'there is no desktop to open a browser on';
}

export function otherMethods(method: LoginMethod): string {
  const others = LOGIN_METHODS.filter((other) => other !== method);
  return `log in with "opac login --method ${others.join('" or "--method ')}"`;
}
