/** Names outlive a power cut when their folder was synced: syncing a file keeps its bytes, not where they are found. */
import { open } from 'node:fs/promises';

/** Makes the names in a folder durable. Never throws: Windows and some network file systems cannot do it. */
export async function syncFolder(path: string): Promise<void> {
  try {
    const handle = await open(path, 'r');
    try {
      await handle.sync();
    } finally {
      await handle.close();
    }
  } catch {
    // The names are there, and most file systems keep them in order.
  }
}
