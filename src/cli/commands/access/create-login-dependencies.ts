/** Creates the dependencies of a login. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoginDependencies, LoginOptions } from '../../../auth/login/login-context.js';
import { openBrowser } from '../../../auth/login/open-browser.js';
import { createPrompt } from '../../../auth/login/prompt.js';
import { ProfileStore } from '../../../auth/store/profile-store.js';
import { startMuseum } from '../../../mock/index.js';
import { createAnonymousSender, createAuthDependencies } from '../../connect.js';
import type { Context } from '../../context.js';

/** Adds the values of --profile, --base-url and --allow-http. With --mock, uses the built-in museum and a temporary store. */
export async function createLoginDependencies(
  context: Context,
  options: LoginOptions,
): Promise<{ readonly options: LoginOptions; readonly dependencies: LoginDependencies }> {
  const { globalOptions, stdin, stderr, signal } = context;
  const prompt = createPrompt({ input: stdin, output: stderr.stream, note: context.note, signal });
  context.addCleanup(async () => prompt.close());
  const shared = await createAuthDependencies(context);
  const dependencies: LoginDependencies = {
    ...shared,
    platform: process.platform,
    prompt,
    connect: (baseUrl, scheme) => createAnonymousSender(context, baseUrl, scheme),
    openBrowser,
    // The URL is necessary to log in, so --quiet does not hide it.
    announce: (url) => stderr.draw(`open this URL to log in:\n  ${url}\n`),
    signal,
  };
  const { profile, baseUrl, allowHttp } = globalOptions;
  if (globalOptions.mock) return createMockLogin(context, options, dependencies);
  return { options: { ...options, profile, baseUrl, allowHttp }, dependencies };
}

/** Starts the built-in museum, with a temporary profile store. */
async function createMockLogin(context: Context, options: LoginOptions, dependencies: LoginDependencies) {
  const folder = await mkdtemp(join(tmpdir(), 'opac-'));
  context.addCleanup(() => rm(folder, { recursive: true, force: true }));
  const museum = await startMuseum({ access: options.scheme === 'anonymous' ? 'anonymous' : 'authorized' });
  context.addCleanup(() => museum.close());
  const { clientId, clientSecret, redirectURI } = museum.client;
  return {
    options: {
      ...options,
      method: options.method ?? ('headless' as const),
      profile: 'mock',
      baseUrl: museum.url,
      clientId,
      redirectURI,
    },
    dependencies: {
      ...dependencies,
      store: new ProfileStore({ folder, note: dependencies.note }),
      environment: {
        ...dependencies.environment,
        OPAC_CLIENT_SECRET: clientSecret,
        OPAC_BASIC_KEY: museum.basicKey,
      },
    },
  };
}
