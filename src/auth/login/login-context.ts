/** The options and the state of one login. */
import type { Send } from '../../client/http-request.js';
import type { AuthDependencies } from '../dependencies.js';
import type { Connection } from '../flow/authorization.js';
import type { ChallengeForm } from '../flow/pkce.js';
import type { Profile, Scheme } from '../store/profile.js';
import type { LoginMethod } from './method-names.js';
import type { Prompt } from './prompt.js';

export interface LoginOptions {
  /** The profile to create or renew. Default: OPAC_PROFILE, otherwise a saved profile for the URL, otherwise a new profile. */
  readonly profile?: string | undefined;
  readonly baseUrl?: string | undefined;
  readonly allowHttp?: boolean | undefined;
  readonly scheme?: Scheme | undefined;
  readonly clientId?: string | undefined;
  readonly redirectURI?: string | undefined;
  readonly method?: LoginMethod | undefined;
  /** Default: the form in the profile, or S256-padded. */
  readonly challengeForm?: ChallengeForm | undefined;
  readonly rememberSecret?: boolean | undefined;
  readonly insecureStorage?: boolean | undefined;
  /** Milliseconds to wait for the browser. Default: five minutes. */
  readonly timeout?: number | undefined;
  readonly publicPage?: string | undefined;
}

/** The parts of this machine that a login uses, such as terminal and browser. Tests replace them. */
export interface LoginDependencies extends AuthDependencies {
  readonly platform: NodeJS.Platform;
  readonly prompt: Prompt;
  readonly connect: (baseUrl: string, scheme: Scheme) => Send;
  readonly openBrowser: (url: string) => Promise<void>;
  readonly announce: (url: string) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface LoginContext {
  /** The new profile, still without credentials. */
  readonly draft: Profile;
  /** The saved profile with the same name, if it is for the same URL. */
  readonly saved: Profile | undefined;
  readonly connection: Connection;
  readonly options: LoginOptions;
  readonly dependencies: LoginDependencies;
}
