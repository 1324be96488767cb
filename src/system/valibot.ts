/**
 * Exports Valibot. build.js copies the types of Valibot into the types of this file, so that these types do not import a package.
 */
export * from 'valibot';
