#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { isSea } from 'node:sea';

// The exit code if the event loop becomes empty before the command has ended.
process.exitCode = 13;
enableCompileCache();
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
  const folder = isSea() ? undefined : findCacheFolder();
  if (folder !== undefined) module.enableCompileCache?.(join(folder, 'opac'));
}

function findCacheFolder() {
  const { LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
  if (XDG_CACHE_HOME || LOCALAPPDATA) return XDG_CACHE_HOME || LOCALAPPDATA;
  try {
    return existsSync(homedir()) ? join(homedir(), '.cache') : undefined;
  } catch {
    // The system does not know this user.
    return undefined;
  }
}
