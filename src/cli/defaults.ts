/** The default port of `opac mock`, free on most machines. */
export const DEFAULT_MOCK_PORT = 8700;
export const DEFAULT_MOCK_URL = `http://127.0.0.1:${DEFAULT_MOCK_PORT}`;
