// Takes the place of the keyring add-on in the executables: a native add-on must be a separate file.
throw new Error('the executable has no keyring add-on');
