/** Default values of options, and limits. */

/** Records in a page. Observed deployments do not return larger pages (FIELD-NOTES.md "Requests"). */
export const DEFAULT_PAGE_SIZE = 100;
export const DEFAULT_CONCURRENCY = 6;
/** The number of pages that are in progress or wait for the caller is at most `concurrency` times this number. */
export const DEFAULT_PREFETCH_PER_REQUEST = 2;
export const DEFAULT_RETRIES = 4;
export const DEFAULT_TIMEOUT_SECONDS = 60;
/** The service responds more slowly to a basic key (INTERFACE.md "Basic key"). */
export const DEFAULT_BASIC_KEY_TIMEOUT_SECONDS = 120;

/** Maximum bytes of a response. Applies to the compressed size and to the decompressed size. */
export const MAX_BODY = 64 * 1024 * 1024;
/** Maximum bytes of a file, such as a scanned image. */
export const MAX_FILE = 256 * 1024 * 1024;
/** Maximum bytes of all responses in progress together. */
export const MAX_RECEIVING = 512 * 1024 * 1024;
