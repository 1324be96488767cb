/** Stands in place of `@napi-rs/keyring` in the unit tests: none of them may touch the keyring of whoever runs it. */
throw new Error('the tests have no keyring');
