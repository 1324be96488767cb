/** Headings of the help under which commands list shared options. */
export const CONNECTION = 'Connection options:';
export const HOW_MANY = 'Number of records:';
export const OUTPUT = 'Output options:';
export const SEARCH = 'Search options:';
