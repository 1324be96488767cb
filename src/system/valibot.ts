/** Exports Valibot. build.js copies the types of Valibot into the types of this file, so that they do not import a package. */
export * from 'valibot';
