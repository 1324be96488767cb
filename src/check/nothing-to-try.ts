/** Thrown by a check that cannot be made here; the message is the reason: `no record has images`. */
export class NothingToTry extends Error {}
