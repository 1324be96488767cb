/** The default port of `opac mock`, free on most machines. */
export const MOCK_PORT = 8700;
export const MOCK_ADDRESS = `http://127.0.0.1:${MOCK_PORT}`;
