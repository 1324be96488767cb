/** Default values of options, and limits. The help shows the default values. */

/** Records in a page. Observed deployments do not return larger pages (FIELD-NOTES.md "Requests"). */
export const DEFAULT_PAGE_SIZE = 100;
export const DEFAULT_CONCURRENCY = 6;
/** At most `concurrency` times this number of pages are in progress or wait for the caller. */
export const DEFAULT_PREFETCH_PER_REQUEST = 2;
export const DEFAULT_RETRIES = 4;
export const DEFAULT_TIMEOUT_SECONDS = 60;
/** For requests with a basic key. Their extra validation makes the responses slower (INTERFACE.md "Basic key"). */
export const DEFAULT_BASIC_KEY_TIMEOUT_SECONDS = 120;

/** Maximum bytes of one response. Limits the received bytes, and also the decompressed bytes. */
export const MAX_BODY = 64 * 1024 * 1024;
/** Maximum bytes of one file. Scanned images can be larger than pages of records. */
export const MAX_FILE = 256 * 1024 * 1024;
/** Maximum bytes of all responses in progress. Complete pages do not count: their number and their size are limited already. */
export const MAX_RECEIVING = 512 * 1024 * 1024;
