/** Login through a browser anywhere: the person opens the address and brings the redirected one back. */
import { OpacError } from '../../service/errors.js';
import {
  type Authorization,
  authorizationUrl,
  type ObtainCode,
  type Redirect,
  readRedirect,
} from '../flow/authorization.js';

export interface PasteOptions {
  readonly baseUrl: string;
  /** Shows the address to the person. */
  readonly announce: (url: string) => void;
  /** Asks for a line; undefined at the end of the input. */
  readonly ask: (question: string) => Promise<string | undefined>;
  /** Told what was wrong with what was pasted. */
  readonly notice: (message: string) => void;
}

const QUESTION = 'Paste the address you were redirected to (the page itself may fail to load): ';
/** A wrapped address comes in pieces; more than this many lines is no address. */
const MOST_LINES = 10;

const COMPLAINTS = {
  foreign: 'that is of another login (its state differs), so its code was discarded',
  incomplete: 'that has no code and state; paste the rest of it, or the whole address again',
} as const;

/**
 * Reads the code from what the person pastes: the redirected address, its query alone, or code and state. What does not
 * fit is said, and asked for again. Throws an OpacError when the input ends, and the service's refusal.
 */
export function codeByPaste({ baseUrl, announce, ask, notice }: PasteOptions): ObtainCode {
  return async (authorization) => {
    announce(authorizationUrl(baseUrl, authorization));
    let pasted = '';
    for (let lines = 0; lines < MOST_LINES; lines++) {
      const line = await ask(QUESTION);
      if (line === undefined) break;
      if (line.trim() === '') continue;
      // The line alone first: it may be a new try after a wrong one.
      const redirect = decisive(line, authorization) ?? readPasted(pasted + line, authorization);
      if (redirect.outcome === 'code') return redirect.code;
      if (redirect.outcome === 'refused') throw redirect.error;
      notice(COMPLAINTS[redirect.outcome]);
      pasted = redirect.outcome === 'incomplete' && mayGoOn(pasted + line) ? pasted + line.trim() : '';
    }
    throw new OpacError('auth', 'no redirected address was given', {
      hint: 'run "opac login --method paste" again, and paste the whole address, beginning with the redirect URI',
    });
  };
}

function decisive(text: string, authorization: Authorization): Redirect | undefined {
  const redirect = readPasted(text, authorization);
  return redirect.outcome === 'code' || redirect.outcome === 'refused' ? redirect : undefined;
}

/** Whether a text begins like an address that a terminal or mail program broke into lines. */
const mayGoOn = (text: string) => /^["'<\s]*([a-z][a-z\d+.-]*:|\?|code=|state=)/i.test(text);

/** Reads what was pasted, quotes and line breaks in it aside. */
function readPasted(text: string, authorization: Authorization): Redirect {
  const bare = text.trim().replace(/^["'<]+|["'>]+$/g, '');
  if (/(^|[?&])(code|state|error)=/.test(bare)) {
    const query = bare
      .replaceAll(/\s+/g, '')
      .replace(/^[^?]*\?/, '')
      .replace(/#.*$/, '');
    return readQuery(new URLSearchParams(query), authorization);
  }
  const words = bare.split(/[\s,;]+/);
  const [code, state, ...more] = words as [string, string | undefined, ...string[]];
  if (!state || more.length > 0) return { outcome: 'incomplete' };
  return readRedirect(new URLSearchParams({ code, state }), authorization);
}

/** A state broken off in the middle is not yet a foreign one. */
function readQuery(parameters: URLSearchParams, authorization: Authorization): Redirect {
  const state = parameters.get('state') ?? '';
  const brokenOff = state !== authorization.state && authorization.state.startsWith(state);
  return brokenOff ? { outcome: 'incomplete' } : readRedirect(parameters, authorization);
}
