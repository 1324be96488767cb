/** How each login method gets an authorization code. A new method is a name in `method.ts`, a file, and a row here. */
import type { Connection, RequestCode } from '../flow/authorization.js';
import { requestCodeInBrowser } from './browser.js';
import { requestCodeHeadless } from './headless.js';
import type { LoginDependencies } from './login-dependencies.js';
import type { LoginMethod } from './method.js';
import { requestCodeByPaste } from './paste.js';

interface CodeRequestInputs {
  readonly connection: Connection;
  readonly dependencies: LoginDependencies;
  readonly timeout: number;
}

interface LoginMethodRow {
  readonly showsUrl: boolean;
  readonly requestCode: (inputs: CodeRequestInputs) => RequestCode;
}

export const METHODS: Readonly<Record<LoginMethod, LoginMethodRow>> = {
  browser: {
    showsUrl: true,
    requestCode: ({ connection: { baseUrl }, dependencies, timeout }) =>
      requestCodeInBrowser({ ...dependencies, baseUrl, timeout }),
  },
  headless: {
    showsUrl: false,
    requestCode: ({ connection, dependencies }) => requestCodeHeadless(connection, dependencies.signal),
  },
  paste: {
    showsUrl: true,
    requestCode: ({ connection: { baseUrl }, dependencies }) =>
      requestCodeByPaste({ ...dependencies, baseUrl, ask: dependencies.prompt.line }),
  },
};
