import { once } from 'node:events';

/** Throws without a browser; on Linux `xdg-open` shows this only when it ends, which may take as long as the browser runs. */
export async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const starter = await withoutSecrets(() => open(url));
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, 'exit');
  if (starter.exitCode !== 0)
    throw new Error(`the browser could not be started (exit code ${starter.exitCode})`);
}

/** A browser, and what it starts, has no business with our keys: `open` has no option for the environment. */
async function withoutSecrets<T>(start: () => Promise<T>): Promise<T> {
  const { env } = process;
  process.env = Object.fromEntries(Object.entries(env).filter(([name]) => !/^OPAC_/i.test(name)));
  try {
    return await start();
  } finally {
    process.env = env;
  }
}
