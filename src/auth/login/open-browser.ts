import { once } from 'node:events';

/**
 * Opens an address in the person's browser. Throws when there is none to be started, which on Linux shows only when the
 * starter (`xdg-open`) has ended; where the starter goes on as the browser itself, this lasts as long.
 */
export async function openBrowser(url: string): Promise<void> {
  const { default: open } = await import('open');
  const starter = await open(url);
  if (starter.exitCode === null && starter.signalCode === null) await once(starter, 'exit');
  if (starter.exitCode !== 0) throw new Error(`the starter of the browser ended with ${starter.exitCode}`);
}
