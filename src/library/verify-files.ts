/** Compares exported files with their manifests, as `opac verify` does. */
import { listGaps, type Manifest } from '../export/verify/manifest.js';
import { verifyFile } from '../export/verify/verify-files.js';
import { OpacError, UsageError } from '../service/errors.js';

/** The result for one file. The file is complete and unchanged if `problems` is empty. */
export interface VerifiedFile {
  readonly file: string;
  readonly problems: readonly string[];
  /** Undefined if opac found no manifest for the file, or if the manifest is damaged. */
  readonly manifest: Manifest | undefined;
}

const UNVERIFIABLE = ['no-manifest', 'no-file', 'file-changed'];

/**
 * Problems are incomplete exports, changed or missing files, and missing or damaged manifests. Throws an OpacError for a read
 * error, and a UsageError for a manifest of a newer version. If the signal is aborted, throws its reason.
 */
export async function verifyFiles(
  files: readonly string[],
  signal?: AbortSignal,
): Promise<readonly VerifiedFile[]> {
  if (!Array.isArray(files)) throw new UsageError('files must be an array of paths');
  const verified: VerifiedFile[] = [];
  for (const file of files)
    try {
      const { manifest, problems } = await verifyFile(file, signal);
      verified.push({ file, problems: [...problems, ...listGaps(manifest)], manifest });
    } catch (error) {
      if (!(error instanceof OpacError) || !UNVERIFIABLE.includes(error.code ?? '')) throw error;
      verified.push({ file, problems: [error.message], manifest: undefined });
    }
  return verified;
}
