/** The names of the login methods, and the default method. Help and completion load only this file, not the login itself. */
import type { Environment } from '../../client/transport/proxy.js';
import { parseLoopbackRedirect } from '../flow/redirect-uri.js';

export const METHOD_HELP = {
  browser: 'browser',
  headless: 'headless (without a browser)',
  paste: 'paste (browser on another machine)',
} as const;

export type LoginMethod = keyof typeof METHOD_HELP;
export const LOGIN_METHODS = Object.keys(METHOD_HELP) as readonly LoginMethod[];

/** Returns the method to use on this machine, and the reason if this method is not `browser`. */
export function chooseDefaultMethod(
  redirectURI: string,
  environment: Environment,
  platform: NodeJS.Platform,
): { readonly method: LoginMethod; readonly reason?: string } {
  if (!parseLoopbackRedirect(redirectURI)) {
    return { method: 'headless', reason: `the redirect URI "${redirectURI}" does not lead to this machine` };
  }
  const reason = findBrowserObstacle(environment, platform);
  return reason === undefined ? { method: 'browser' } : { method: 'headless', reason };
}

export function findBrowserObstacle(environment: Environment, platform: NodeJS.Platform): string | undefined {
  const { SSH_CONNECTION, SSH_TTY, DISPLAY, WAYLAND_DISPLAY, WSL_DISTRO_NAME } = environment;
  if (SSH_CONNECTION || SSH_TTY)
    return 'this is an SSH session, and a browser would open on the remote machine';
  const hasDesktop = platform !== 'linux' || DISPLAY || WAYLAND_DISPLAY || WSL_DISTRO_NAME;
  return hasDesktop ? undefined : 'this machine has no desktop, so a browser cannot open';
}

export function suggestOtherMethods(method: LoginMethod): string {
  const others = LOGIN_METHODS.filter((other) => other !== method);
  return `log in with "opac login --method ${others.join('" or "--method ')}"`;
}
