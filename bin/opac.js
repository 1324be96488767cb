#!/usr/bin/env node

// The exit code if the event loop becomes empty before the command has ended.
process.exitCode = 13;
// The version needs no compiled code.
if (process.argv[2] !== '--version') enableCompileCache();
void start();

async function start() {
  const { main } = await import('../dist/main.js');
  process.exitCode = await main(process.argv.slice(2));

  // A host name that is being looked up cannot be given up: it would keep a command that has ended for as long as that takes.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  }, 200).unref();
}

/** Keeps compiled code for the next start. In the folder for temporary files, other users could plant some. */
function enableCompileCache() {
  const [module, sea, path] = ['node:module', 'node:sea', 'node:path'].map(process.getBuiltinModule);
  const folder = sea.isSea() ? undefined : findCacheFolder(path);
  if (folder !== undefined) module.enableCompileCache?.(path.join(folder, 'opac'));
}

function findCacheFolder({ join }) {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (XDG_CACHE_HOME || LOCALAPPDATA) return XDG_CACHE_HOME || LOCALAPPDATA;
  try {
    const home = process.getBuiltinModule('node:os').homedir();
    return process.getBuiltinModule('node:fs').existsSync(home) ? join(home, '.cache') : undefined;
  } catch {
    // The system does not know this user.
    return undefined;
  }
}
