/** What a login is given: the wishes of the person, the means of the machine, and what is known before it begins. */
import type { Send } from '../../client/exchange.js';
import type { Service } from '../flow/authorization.js';
import type { ChallengeForm } from '../flow/pkce.js';
import type { Sources } from '../sources.js';
import type { Profile, Scheme } from '../store/profile.js';
import type { LoginMethod } from './method.js';
import type { Prompt } from './prompt.js';

export interface LoginOptions {
  /** The profile to make or renew; default the current one, or `default`. */
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowHttp?: boolean | undefined;
  /** Default bearer. */
  readonly scheme?: Scheme | undefined;
  readonly clientId?: string | undefined;
  readonly redirectURI?: string | undefined;
  /** Default: the one that fits this machine. */
  readonly method?: LoginMethod | undefined;
  /** The form of challenge to try first. Default: what the profile remembers, or S256-padded. */
  readonly challengeForm?: ChallengeForm | undefined;
  /** `--remember-secret`: keep the client secret in the keyring. */
  readonly rememberSecret?: boolean | undefined;
  /** `--insecure-storage`: keep it in the profile file when there is no keyring. */
  readonly insecureStorage?: boolean | undefined;
  /** Milliseconds to wait for the browser to come back. Default five minutes. */
  readonly timeout?: number | undefined;
  /** Pattern of the public page of a record. */
  readonly publicPage?: string | undefined;
}

/** What a login works with. */
export interface LoginDependencies extends Sources {
  readonly platform: NodeJS.Platform;
  readonly prompt: Prompt;
  /** A way to send requests to a deployment, without credentials. */
  readonly connect: (baseUrl: string, scheme: Scheme) => Send;
  readonly openBrowser: (url: string) => Promise<void>;
  /** Shows the address to open. */
  readonly announce: (url: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface LoginContext {
  /** The profile so far. */
  readonly draft: Profile;
  /** What was kept of the same deployment before. */
  readonly known: Profile | undefined;
  readonly service: Service;
  readonly options: LoginOptions;
  readonly dependencies: LoginDependencies;
}
