import { once } from 'node:events';

/**
 * Opens an address in the default browser. Throws when none can be started; on Linux this shows only when the starter
 * (`xdg-open`) has ended, so this may take as long as the browser runs.
 */
export async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const starter = await open(url);
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, 'exit');
  if (starter.exitCode !== 0)
    throw new Error(`the browser could not be started (exit code ${starter.exitCode})`);
}
