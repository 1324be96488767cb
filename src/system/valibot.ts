/** Valibot in a separate file: the build inserts its types here, so that the types of the library have no dependency. */
export * from 'valibot';
