/** build.js copies the types of Valibot into the types of this file, so that the types of opac import no package. */
export * from 'valibot';
