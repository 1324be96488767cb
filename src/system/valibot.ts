/** Exports Valibot. The build inserts Valibot's types into this file, so that the types of the library import no package. */
export * from 'valibot';
