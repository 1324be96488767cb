/** The version of the tool, put in from package.json by the bundler (and by the test runner). */
declare const OPAC_VERSION: string;

/** The version of this package (Semantic Versioning). */
export const VERSION: string = OPAC_VERSION;
