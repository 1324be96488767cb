/** Replaces `@napi-rs/keyring` in the unit tests. They must not use the keyring of the person who runs them. */
throw new Error('the tests have no keyring');
