/** Commands that messages offer, as they would be typed. */
import { shellWord } from '../../command/shell-words.js';
import type { Context } from '../../context.js';

/** The command line of these words, against the deployment or the files in use. */
export function nextCommand(context: Asked, words: readonly string[]): string {
  return ['opac', ...words, ...deploymentWords(context)].map(shellWord).join(' ');
}

type Asked = Pick<Context, 'settings' | 'environment'>;

/** The options that name the deployment or the files in use, where the environment does not. */
export function deploymentWords({ settings, environment }: Asked): string[] {
  const { mock, from } = settings;
  const profile = settings.profile === environment.OPAC_PROFILE ? undefined : settings.profile;
  const baseUrl = settings.baseUrl === environment.OPAC_BASE_URL ? undefined : settings.baseUrl;
  return [
    ...(mock ? ['--mock'] : []),
    ...from.flatMap((file) => ['--from', file]),
    ...(from.length > 0 || profile === undefined ? [] : ['--profile', profile]),
    ...(from.length > 0 || baseUrl === undefined ? [] : ['--base-url', baseUrl]),
  ];
}
