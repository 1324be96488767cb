import { describe, expect, it } from 'vitest';
import { createAuthorization } from '../../../src/auth/flow/authorization.js';
import { requestCodeByPaste } from '../../../src/auth/login/paste.js';

const REDIRECT = 'https://app.museum.example/callback';

/** A login in which the lines are pasted; `STATE` in them stands for the right one. */
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

describe('what is pasted', () => {
  it.each([
    ['the address', `${REDIRECT}?state=STATE&code=the-code`],
    ['the address the other way round', `${REDIRECT}?code=the-code&state=STATE`],
    ['the address with a slash more', `${REDIRECT}/?state=STATE&code=the-code`],
    ['the address with what browsers add', `${REDIRECT}?state=STATE&code=the-code#`],
    ['the address of a scheme of its own', 'app:back?state=STATE&code=the-code'],
    ['the address in quotes', `  "${REDIRECT}?state=STATE&code=the-code"  `],
    ['the address in angle brackets', `<${REDIRECT}?state=STATE&code=the-code>`],
    [
      'the address in two lines at once',
      `${REDIRECT}?state=STA\n  TE&code=the\n-code`.replace('STA\n  TE', 'STATE'),
    ],
    ['the query', '?state=STATE&code=the-code'],
    ['the query without its mark', 'code=the-code&state=STATE'],
    ['code and state', 'the-code STATE'],
    ['code and state with a comma', 'the-code, STATE'],
  ])('may be %s', async (_, line) => {
    const { code, notices } = paste(line);
    expect(await code).toBe('the-code');
    expect(notices).toEqual([]);
  });

  it('may come in lines of its own', async () => {
    const { code, authorization } = paste(`${REDIRECT}?code=the-code&sta`, 'te=STATE');
    expect(authorization.state).toHaveLength(40);
    expect(await code).toBe('the-code');
  });

  it.each(['', '   ', '\t'])('may come after an empty line (%j), of which nothing is said', async (empty) => {
    const { code, notices } = paste(empty, `${REDIRECT}?state=STATE&code=the-code`);
    expect(await code).toBe('the-code');
    expect(notices).toEqual([]);
  });

  it('may be given anew after text that no address begins with', async () => {
    const { code, notices } = paste('see code=', 'the-code STATE');
    expect(await code).toBe('the-code');
    expect(notices).toHaveLength(1);
  });

  it('may come in two lines after text that holds what an address begins with', async () => {
    const { code } = paste('what?', `${REDIRECT}?code=the-code&sta`, 'te=STATE');
    expect(await code).toBe('the-code');
  });

  it('may be given anew after something wrong', async () => {
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

  it('may be given anew after the address of the request, which has no code', async () => {
    const { code } = paste(
      'https://museum.example/api/v3/oauth/authorize?state=STATE',
      `${REDIRECT}?state=STATE&code=the-code`,
    );
    expect(await code).toBe('the-code');
  });

  it('may be a refusal', async () => {
    const { code } = paste(`${REDIRECT}?state=STATE&error=access_denied`);
    await expect(code).rejects.toMatchObject({
      kind: 'auth',
      message: expect.stringContaining('access_denied'),
    });
  });

  it('is asked for until the input ends, and not for ever', async () => {
    await expect(paste('x').code).rejects.toMatchObject({
      kind: 'auth',
      message: 'no valid redirect URL given',
      hint: 'run "opac login --method paste" again and paste the complete URL, starting with the redirect URI',
    });
    const endless = paste(...Array.from({ length: 100 }, () => 'x'));
    await expect(endless.code).rejects.toMatchObject({ kind: 'auth' });
    expect(endless.rest.length).toBeGreaterThan(80);
  });

  it('is never said again', async () => {
    const { code, notices } = paste(`${REDIRECT}?state=other&code=the-code`);
    const error = await code.catch((reason) => reason);
    expect(`${error.stack} ${error.hint} ${notices}`).not.toContain('the-code');
  });
});

describe('the address to open', () => {
  it('is shown first', async () => {
    const { code, announced } = paste('the-code STATE');
    await code;
    expect(announced).toEqual([
      expect.stringContaining('https://museum.example/api/v3/oauth/authorize?clientId=id&'),
    ]);
  });
});
