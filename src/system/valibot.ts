/** Valibot, in a file of its own: the build puts its types here, so that those of the library stand alone. */
export * from 'valibot';
