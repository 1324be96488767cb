import { once } from 'node:events';

/** Throws without a browser; on Linux `xdg-open` shows this only when it ends, which may take as long as the browser runs. */
export async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const starter = await open(url);
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, 'exit');
  if (starter.exitCode !== 0)
    throw new Error(`the browser could not be started (exit code ${starter.exitCode})`);
}
