/** The folders for the files of this user. In a container, the user may have no home folder. */
import { accessSync, constants } from 'node:fs';
import { homedir } from 'node:os';
import { isAbsolute, join } from 'node:path';

/** Returns undefined if this user cannot enter the folder, for example with `docker run --user 12345` and HOME=/root. */
export function findHomeFolder(): string | undefined {
  try {
    const home = homedir();
    accessSync(home, constants.X_OK);
    return home;
  } catch {
    return undefined;
  }
}

/** Returns the folder that the package `conf` would use; undefined without a home folder, unless a variable names the folder. */
export function findConfigFolder(): string | undefined {
  const { APPDATA, XDG_CONFIG_HOME } = process.env;
  if (process.platform === 'win32') return joinFolder(APPDATA, ['AppData', 'Roaming'], 'opac', 'Config');
  if (process.platform === 'darwin') return joinFolder(undefined, ['Library', 'Preferences'], 'opac');
  return joinFolder(XDG_CONFIG_HOME, ['.config'], 'opac');
}

function joinFolder(
  variable: string | undefined,
  pathInHome: readonly string[],
  ...names: readonly string[]
): string | undefined {
  // The XDG Base Directory Specification requires programs to ignore relative paths.
  if (variable && isAbsolute(variable)) return join(variable, ...names);
  const home = findHomeFolder();
  return home && join(home, ...pathInHome, ...names);
}
