/** What a login works with: the terminal, the browser, the file of profiles. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { LoginDependencies, LoginOptions } from '../../../auth/login/login-context.js';
import { openBrowser } from '../../../auth/login/open-browser.js';
import { createPrompt } from '../../../auth/login/prompt.js';
import { ProfileStore } from '../../../auth/store/profiles.js';
import { startMuseum } from '../../../mock/index.js';
import { bareSender, sourcesOf } from '../../connect.js';
import type { Context } from '../../context.js';

/** The means of a login, and its wishes with the settings of the command line in them. */
export async function loginDependencies(
  context: Context,
  wishes: LoginOptions,
): Promise<{ readonly flags: LoginOptions; readonly means: LoginDependencies }> {
  const { settings, stdin, stderr, signal } = context;
  const prompt = createPrompt({ input: stdin, output: stderr, notice: context.note, signal });
  context.atEnd(async () => prompt.close());
  const sources = await sourcesOf(context);
  const means: LoginDependencies = {
    ...sources,
    platform: process.platform,
    prompt,
    connect: (baseUrl, scheme) => bareSender(context, baseUrl, scheme),
    openBrowser,
    // Not a note: without the address there is no login, also with --quiet.
    announce: (url) => void stderr.write(`open this address to log in:\n  ${url}\n`),
    signal,
  };
  const { profile, baseUrl, allowHttp } = settings;
  if (settings.mock) return atTheMuseum(context, wishes, means);
  return { flags: { ...wishes, profile, baseUrl, allowHttp: allowHttp || undefined }, means };
}

/** A login to a museum that is gone when the command ends: with its own client, and a profile that goes with it. */
async function atTheMuseum(context: Context, wishes: LoginOptions, means: LoginDependencies) {
  const directory = await mkdtemp(join(tmpdir(), 'opac-'));
  context.atEnd(() => rm(directory, { recursive: true, force: true }));
  const museum = await startMuseum({ access: wishes.scheme === 'anonymous' ? 'anonymous' : 'authorized' });
  context.atEnd(() => museum.close());
  const { clientId, clientSecret, redirectURI } = museum.client;
  return {
    flags: {
      method: 'headless' as const,
      ...defined(wishes),
      profile: 'mock',
      baseUrl: museum.url,
      clientId,
      redirectURI,
    },
    means: {
      ...means,
      store: new ProfileStore({ directory, notice: means.notice }),
      environment: {
        ...means.environment,
        OPAC_CLIENT_SECRET: clientSecret,
        OPAC_BASIC_KEY: museum.basicKey,
      },
    },
  };
}

function defined(wishes: LoginOptions): LoginOptions {
  return Object.fromEntries(Object.entries(wishes).filter(([, value]) => value !== undefined));
}
