#!/usr/bin/env node

// CommonJS, because Node starts it faster than an ES module.
const { existsSync, writeSync } = require('node:fs');
const { join } = require('node:path');

// The exit code if the event loop becomes empty before the command has ended.
process.exitCode = 13;
if (process.argv.slice(2).join() === '--version' && writeVersion()) process.exitCode = 0;
else {
  enableCompileCache();
  void start();
}

/** Returns false if the pipe or the disk is full. The program then tries again, and reports the error. */
function writeVersion() {
  try {
    const text = `${require('../package.json').version}\n`;
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

async function start() {
  // Until the program handles signals itself.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(130);
    });
  const { main } = await import('../dist/main.js');
  process.exitCode = await main(process.argv.slice(2));

  // A DNS lookup cannot be cancelled: without this, the process would wait until the lookup ends.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  }, 200).unref();
}

/** Keeps compiled code for the next start. In the folder for temporary files, other users could write such files. */
function enableCompileCache() {
  const folder = require('node:sea').isSea() ? undefined : findCacheFolder();
  if (folder !== undefined) require('node:module').enableCompileCache?.(join(folder, 'opac'));
}

function findCacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (XDG_CACHE_HOME || LOCALAPPDATA) return XDG_CACHE_HOME || LOCALAPPDATA;
  try {
    const home = require('node:os').homedir();
    return existsSync(home) ? join(home, '.cache') : undefined;
  } catch {
    // The system does not know this user.
    return undefined;
  }
}
