/** Exports records to a stream, such as standard output. First exports them to files in a temporary folder. */
import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { type ErrorKind, OpacError } from '../service/errors.js';
import { classifyFileError, FileError, fileError } from '../system/file-error.js';
import { type ExportOptions, exportRecords } from './export-records.js';
import { type Completeness, getResumeBlockedHint } from './verify/completeness.js';
import type { ManifestIdCheck } from './verify/manifest.js';

export interface StreamOptions
  extends Omit<
    ExportOptions,
    'target' | 'split' | 'resume' | 'force' | 'checkpointEvery' | 'deployment' | 'command'
  > {
  readonly output: Writable;
}

export interface StreamOutcome extends Completeness {
  readonly complete: boolean;
  readonly records: number;
  readonly formulas: number;
  readonly idCheck: ManifestIdCheck | undefined;
  /** A hint for an incomplete export that would stay incomplete even with a file and `resume`. */
  readonly resumeBlocked: string | undefined;
}

/**
 * Writes the records even if the export is incomplete. Throws the errors of `exportRecords` and of `output`, and an OpacError if
 * opac cannot write in the temporary folder.
 */
export async function streamRecords({ output, ...options }: StreamOptions): Promise<StreamOutcome> {
  const folder = await createTemporaryFolder();
  try {
    const made = await exportRecords({
      ...options,
      target: join(folder, 'records'),
      deployment: '',
      command: undefined,
    });
    for (const file of made.files) await pipeline(createReadStream(file), output, { end: false });
    const { complete, reasons, warnings, repaired, isOnlyStrict, manifest } = made;
    return {
      complete,
      reasons,
      warnings,
      repaired,
      isOnlyStrict,
      records: manifest.records,
      formulas: manifest.formulas,
      idCheck: manifest.idCheck,
      resumeBlocked: complete ? undefined : getResumeBlockedHint(manifest, made),
    };
  } catch (error) {
    throw error instanceof FileError ? createTemporaryFileError(error, 'incomplete') : error;
  } finally {
    // A failed deletion must not hide the result of the export.
    await rm(folder, { recursive: true, force: true }).catch(() => undefined);
  }
}

async function createTemporaryFolder(): Promise<string> {
  const folder = tmpdir();
  try {
    return await mkdtemp(join(folder, 'opac-'));
  } catch (error) {
    throw createTemporaryFileError(
      fileError(error, 'write in', folder),
      classifyFileError(error)?.isDiskProblem ? 'incomplete' : 'internal',
    );
  }
}

function createTemporaryFileError(error: OpacError, kind: ErrorKind): OpacError {
  const hint = 'write to a file with -o, or set TMPDIR to another folder';
  return new OpacError(kind, error.message, { hint, cause: error });
}
