import { once } from 'node:events';

/** Throws if no browser starts. On Linux, may wait until the user closes the browser. */
export async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const starter = await hideSecrets(() => open(url));
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, 'exit');
  if (starter.exitCode !== 0) throw new Error(`cannot start the browser (exit code ${starter.exitCode})`);
}

/** Calls `start` without the variables of opac in `process.env`, because `open` has no option for the environment. */
async function hideSecrets<T>(start: () => Promise<T>): Promise<T> {
  const { env } = process;
  process.env = Object.fromEntries(Object.entries(env).filter(([name]) => !/^OPAC_/i.test(name)));
  try {
    return await start();
  } finally {
    process.env = env;
  }
}
