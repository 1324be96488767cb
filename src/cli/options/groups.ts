/** Headings for shared options in the help. */
export const CONNECTION = 'Connection options:';
export const LIMIT_HEADING = 'Number of records:';
export const OUTPUT_HEADING = 'Output options:';
export const SEARCH = 'Search options:';
