/** The bundler and the test runner replace this with the version in package.json. */
declare const OPAC_VERSION: string;

/** The version of this package. */
export const VERSION: string = OPAC_VERSION;
