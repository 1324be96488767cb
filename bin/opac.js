#!/usr/bin/env node

// This file is CommonJS, because Node starts CommonJS faster than an ES module.
const { existsSync, writeSync } = require('node:fs');
const { join } = require('node:path');

// Node exits with this code if the event loop becomes empty before the command has ended.
process.exitCode = 13;
if (process.argv.slice(2).join() === '--version' && writeVersion()) process.exitCode = 0;
else {
  enableCompileCache();
  void start();
}

/** Returns false if writing fails, for example to a full pipe or disk. dist/main.js then tries again, and reports any error. */
function writeVersion() {
  try {
    const text = `${require('../package.json').version}\n`;
    return writeSync(1, text) === text.length;
  } catch {
    return false;
  }
}

async function start() {
  // These listeners end the process while dist/main.js has no listener for the signal.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (process.listenerCount(signal) === 1) process.exit(130);
    });
  const { main } = await import('../dist/main.js');
  process.exitCode = await main(process.argv.slice(2));

  // A DNS lookup cannot be cancelled. Without this timer, the process would wait until the lookup ends.
  setInterval(() => {
    if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
  }, 200).unref();
}

/** Does not use the default folder of Node, because other users could write compiled code there. */
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
