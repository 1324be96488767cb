/** Gives up hosts that do not respond, and a disk that takes nothing. */
import { HttpError } from '../../client/errors/http-error.js';
import { isTooLarge } from '../../client/files.js';
import { FileError } from '../../system/file-error.js';
import type { ImageReference } from './index-file.js';

/** Failures in a row without a response, or because it is busy, after which a host is given up. */
const MAX_FAILURES = 8;

type Source = Pick<ImageReference, 'sourceUrl'>;

export class GivenUp {
  readonly #silent = new Map<string, number>();
  #disk: string | undefined;

  reason({ sourceUrl }: Source): string | undefined {
    if (this.#disk !== undefined) return `not tried, because ${this.#disk}`;
    const host = hostOf(sourceUrl);
    return (this.#silent.get(host) ?? 0) >= MAX_FAILURES
      ? `not tried, because ${host} does not answer`
      : undefined;
  }

  answered({ sourceUrl }: Source): void {
    this.#silent.set(hostOf(sourceUrl), 0);
  }

  learn({ sourceUrl }: Source, error: unknown): void {
    // A file size limit (EFBIG) stops only large files.
    if (error instanceof FileError && error.fault?.isOfDisk && !/ulimit/.test(error.fault.remedy ?? ''))
      this.#disk = error.fault.reason;
    if (!(error instanceof HttpError)) return;
    const host = hostOf(sourceUrl);
    // No status but a cause: the network failed.
    const isSilent = error.status === undefined && error.cause !== undefined && !isTooLarge(error);
    const isBusy = error.status === 429 || error.status === 503;
    this.#silent.set(host, isSilent || isBusy ? (this.#silent.get(host) ?? 0) + 1 : 0);
  }
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}
