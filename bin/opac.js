#!/usr/bin/env node
import { main } from '../dist/main.js';

process.exitCode = await main(process.argv.slice(2));

// A host name that is being looked up cannot be given up: it would keep a command that has ended for as long as that takes.
setInterval(() => {
  if (process.stdout.writableLength + process.stderr.writableLength === 0) process.exit();
}, 200).unref();
