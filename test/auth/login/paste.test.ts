import { describe, expect, it } from 'vitest';
import { createAuthorization } from '../../../src/auth/flow/authorization.js';
import { requestCodeByPaste } from '../../../src/auth/login/paste.js';

const REDIRECT = 'https://app.museum.example/callback';

/** Starts a login and pastes the lines into it. `STATE` in a line becomes the state of the login. */
function paste(...lines: string[]) {
  const authorization = createAuthorization({ clientId: 'id', redirectURI: REDIRECT }, 'S256-padded');
  const notices: string[] = [];
  const announced: string[] = [];
  const code = requestCodeByPaste({
    baseUrl: 'https://museum.example',
    announce: (url) => announced.push(url),
    ask: async () => lines.shift()?.replaceAll('STATE', authorization.state),
    note: (message) => notices.push(message),
  })(authorization);
  return { code, notices, announced, authorization, rest: lines };
}

describe('requestCodeByPaste', () => {
  it.each([
    ['the URL', `${REDIRECT}?state=STATE&code=the-code`],
    ['the URL with the parameters in another order', `${REDIRECT}?code=the-code&state=STATE`],
    ['the URL with an additional slash', `${REDIRECT}/?state=STATE&code=the-code`],
    ['the URL with an empty fragment', `${REDIRECT}?state=STATE&code=the-code#`],
    ['the URL of a private scheme', 'app:back?state=STATE&code=the-code'],
    ['the URL in quotes', `  "${REDIRECT}?state=STATE&code=the-code"  `],
    ['the URL in angle brackets', `<${REDIRECT}?state=STATE&code=the-code>`],
    [
      'the URL with a line break',
      `${REDIRECT}?state=STA\n  TE&code=the\n-code`.replace('STA\n  TE', 'STATE'),
    ],
    ['the query', '?state=STATE&code=the-code'],
    ['the query without a question mark', 'code=the-code&state=STATE'],
    ['code and state', 'the-code STATE'],
    ['code and state with a comma', 'the-code, STATE'],
  ])('accepts %s', async (_, line) => {
    const { code, notices } = paste(line);
    expect(await code).toBe('the-code');
    expect(notices).toEqual([]);
  });

  it('joins a URL that was pasted as two lines', async () => {
    const { code, authorization } = paste(`${REDIRECT}?code=the-code&sta`, 'te=STATE');
    expect(authorization.state).toHaveLength(40);
    expect(await code).toBe('the-code');
  });

  it.each(['', '   ', '\t'])('ignores an empty line (%j) without a note', async (empty) => {
    const { code, notices } = paste(empty, `${REDIRECT}?state=STATE&code=the-code`);
    expect(await code).toBe('the-code');
    expect(notices).toEqual([]);
  });

  it('accepts code and state after a wrong line, with one note', async () => {
    const { code, notices } = paste('see code=', 'the-code STATE');
    expect(await code).toBe('the-code');
    expect(notices).toHaveLength(1);
  });

  it('joins a URL of two lines after a wrong line with a question mark', async () => {
    const { code } = paste('what?', `${REDIRECT}?code=the-code&sta`, 'te=STATE');
    expect(await code).toBe('the-code');
  });

  it('prints a note about each wrong line, and accepts a later URL', async () => {
    const { code, notices } = paste(
      'hello',
      `${REDIRECT}?state=other&code=1`,
      '',
      `${REDIRECT}?state=STATE&code=the-code`,
    );
    expect(await code).toBe('the-code');
    expect(notices).toEqual([
      'the code or the complete state is missing; paste the rest of the URL, or the complete URL again',
      'this URL belongs to another login: its state does not match, and its code was not used',
    ]);
  });

  it('accepts the redirect URL after the authorization URL, which has no code', async () => {
    const { code } = paste(
      'https://museum.example/api/v3/oauth/authorize?state=STATE',
      `${REDIRECT}?state=STATE&code=the-code`,
    );
    expect(await code).toBe('the-code');
  });

  it('throws the error of the pasted URL', async () => {
    const { code } = paste(`${REDIRECT}?state=STATE&error=access_denied`);
    await expect(code).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('access_denied'),
    });
  });

  it('throws an error at the end of the input, and after fewer than 20 wrong lines', async () => {
    await expect(paste('x').code).rejects.toMatchObject({
      kind: 'auth',
      message: 'no valid redirect URL given',
      hint: 'run "opac login --method paste" again and paste the complete URL, starting with the redirect URI',
    });
    const endless = paste(...Array.from({ length: 100 }, () => 'x'));
    await expect(endless.code).rejects.toMatchObject({ kind: 'auth' });
    expect(endless.rest.length).toBeGreaterThan(80);
  });

  it('prints no pasted code', async () => {
    const { code, notices } = paste(`${REDIRECT}?state=other&code=the-code`);
    const error = await code.catch((reason) => reason);
    expect(`${error.stack} ${error.hint} ${notices}`).not.toContain('the-code');
  });
});

describe('the authorization URL', () => {
  it('is printed', async () => {
    const { code, announced } = paste('the-code STATE');
    await code;
    expect(announced).toEqual([
      expect.stringContaining('https://museum.example/api/v3/oauth/authorize?clientId=id&'),
    ]);
  });
});
