/** Thrown by a check that cannot be made here; the message is the reason: `no record has images`. */
export class NothingToTry extends Error {}

/** The same where there would be something to try, but another deviation or the limit of requests stands in the way. */
export class Blocked extends NothingToTry {}
