/** Where the files of this user belong. In a container, the user may have no home folder. */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Undefined without one that can be entered: `docker run --user 12345` without HOME, or the home of another user. */
export function findHomeFolder(): string | undefined {
  try {
    const home = homedir();
    accessSync(home, constants.X_OK);
    return home;
  } catch {
    return undefined;
  }
}

/** The folder that `conf` chooses; undefined without a home. */
export function findConfigFolder(): string | undefined {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  if (process.platform === 'win32') return inFolder(APPDATA, ['AppData', 'Roaming'], 'opac', 'Config');
  if (process.platform === 'darwin') return inFolder(undefined, ['Library', 'Preferences'], 'opac');
  return inFolder(XDG_CONFIG_HOME, ['.config'], 'opac');
}

function inFolder(
  named: string | undefined,
  usual: readonly string[],
  ...own: readonly string[]
): string | undefined {
  // A relative one is invalid, and passed over (XDG Base Directory Specification).
  const given = named && isAbsolute(named) ? named : undefined;
  const home = given ? undefined : findHomeFolder();
  const parent = given ?? (home && join(home, ...usual));
  return parent ? join(parent, ...own) : undefined;
}
