// Takes the place of the keyring add-on in the executables: a native add-on must be a file of its own.
throw new Error('the executable has no keyring add-on');
