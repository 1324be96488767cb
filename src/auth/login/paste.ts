/** Logs in through a browser on any machine: the user opens a URL there, and pastes the URL of the redirect into opac. */
import { OpacError } from '../../service/errors.js';
import {
  type Authorization,
  getAuthorizationUrl,
  type Redirect,
  type RequestCode,
  readRedirect,
} from '../flow/authorization.js';
import type { LoginDependencies } from './login-context.js';
import type { Prompt } from './prompt.js';

interface PasteOptions extends Pick<LoginDependencies, 'announce' | 'note'> {
  readonly baseUrl: string;
  readonly ask: Prompt['lineFromTerminalOrPipe'];
}

const QUESTION = 'Paste the URL you were redirected to (the page itself may fail to load): ';
/** A pasted URL may have several lines, because terminals and mail programs wrap URLs. */
const MAX_LINES = 10;

const PASTE_ERRORS = {
  'state-mismatch': 'this URL belongs to another login: its state does not match, and its code was not used',
  incomplete:
    'the code or the complete state is missing; paste the rest of the URL, or the complete URL again',
} as const;

/** Accepts the redirect URL, its query, or code and state. Throws an OpacError if the login is refused or no code is valid. */
export function requestCodeByPaste({ baseUrl, announce, ask, note }: PasteOptions): RequestCode {
  return async (authorization) => {
    announce(getAuthorizationUrl(baseUrl, authorization));
    let pasted = '';
    for (let lines = 0; lines < MAX_LINES; lines++) {
      const line = await ask(QUESTION);
      if (line === undefined) break;
      if (line.trim() === '') continue;
      // First tries the line without the earlier lines, because the user may have pasted the complete URL again.
      const redirect = parseIfConclusive(line, authorization) ?? readPasted(pasted + line, authorization);
      if (redirect.outcome === 'code') return redirect.code;
      if (redirect.outcome === 'refused') throw redirect.error;
      note(PASTE_ERRORS[redirect.outcome]);
      pasted = redirect.outcome === 'incomplete' && canContinue(pasted + line) ? pasted + line.trim() : '';
    }
    throw new OpacError('auth', 'no valid redirect URL given', {
      hint: 'run "opac login --method paste" again and paste the complete URL, starting with the redirect URI',
    });
  };
}

function parseIfConclusive(text: string, authorization: Authorization): Redirect | undefined {
  const redirect = readPasted(text, authorization);
  return redirect.outcome === 'code' || redirect.outcome === 'refused' ? redirect : undefined;
}

const canContinue = (text: string) => /^["'<\s]*([a-z][a-z\d+.-]*:|\?|code=|state=)/i.test(text);

function readPasted(text: string, authorization: Authorization): Redirect {
  const bare = text.trim().replace(/^["'<]+|(?<!["'>])["'>]+$/g, '');
  if (/(^|[?&])(code|state|error)=/.test(bare)) {
    const query = bare
      .replaceAll(/\s+/g, '')
      .replace(/^[^?]*\?/, '')
      .replace(/#.*/, '');
    return readQuery(new URLSearchParams(query), authorization);
  }
  const words = bare.split(/[\s,;]+/);
  const [code, state, ...more] = words as [string, string | undefined, ...string[]];
  if (!state || more.length > 0) return { outcome: 'incomplete' };
  return readRedirect(new URLSearchParams({ code, state }), authorization);
}

/** If the text has only the beginning of the expected state, the URL is wrapped and continues in the next line. */
function readQuery(parameters: URLSearchParams, authorization: Authorization): Redirect {
  const state = parameters.get('state') ?? '';
  const isCut = state !== authorization.state && authorization.state.startsWith(state);
  return isCut ? { outcome: 'incomplete' } : readRedirect(parameters, authorization);
}
