import type { Send } from '../../client/exchange.js';
import type { AuthDependencies } from '../dependencies.js';
import type { Scheme } from '../store/profile.js';
import type { Prompt } from './prompt.js';

/** What a login works with: services of this machine, replaced in tests. */
export interface LoginDependencies extends AuthDependencies {
  readonly platform: NodeJS.Platform;
  readonly prompt: Prompt;
  readonly connect: (baseUrl: string, scheme: Scheme) => Send;
  readonly openBrowser: (url: string) => Promise<void>;
  readonly announce: (url: string) => void;
  readonly signal?: AbortSignal | undefined;
}
