/** `opac completion` in sessions of the shells themselves. */
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ended, newFolder, opac, SCRIPT } from './opac.js';
import { have } from './programs.js';
import { lines } from './run-against-museum.js';

const hasTerminal = have(['script'], 'completion in interactive shells');
const has = {
  bash: have(['bash'], 'completion in bash') && hasTerminal,
  zsh: have(['zsh'], 'completion in zsh') && hasTerminal,
  fish: have(['fish'], 'completion in fish'),
};

/** A folder where `opac` is a command, and a profile is kept. */
async function home(): Promise<{ readonly folder: string; readonly environment: Record<string, string> }> {
  const folder = await newFolder();
  const bin = join(folder, 'bin');
  await mkdir(bin);
  await writeFile(join(bin, 'opac'), `#!/bin/sh\n${SCRIPT}\n`);
  await chmod(join(bin, 'opac'), 0o755);
  const museum = { baseUrl: 'https://museum.example', scheme: 'anonymous' };
  await writeFile(join(folder, 'profiles.json'), JSON.stringify({ profiles: { 'my-museum': museum } }), {
    mode: 0o600,
  });
  const environment = {
    PATH: `${bin}:${process.env.PATH}`,
    HOME: folder,
    TERM: 'dumb',
    OPAC_CONFIG_DIR: folder,
  };
  return { folder, environment };
}

/** Types the lines into a shell that believes to be at a terminal, and gives all that appeared there. */
async function session(
  shell: readonly string[],
  typed: readonly string[],
  where: Awaited<ReturnType<typeof home>>,
) {
  const child = spawn('script', ['-qec', shell.join(' '), '/dev/null'], {
    cwd: where.folder,
    env: where.environment,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end([...typed, 'exit', ''].join('\n'));
  return (await ended(child)).stdout;
}

/** What is typed, the tab where it is pressed, and what the completed command then prints. */
const TYPED = [
  ['opac obj\tcou\t--mock', '163'],
  ['opac objects list --mock --columns id,recordT\t --limit 1 -f csv', '20011,object'],
  ['opac persons list --mock --limit 1 --format=id\t', '5003'],
] as const;

describe.each([
  ['bash', ['bash', '--norc', '--noprofile', '-i'], ['source <(opac completion bash)']],
  ['zsh', ['zsh', '-f', '-i'], ['autoload -Uz compinit; compinit -u -D', 'source <(opac completion zsh)']],
] as const)('in %s', (shell, command, setUp) => {
  it.runIf(has[shell])('the tab completes commands, options and columns', async () => {
    const where = await home();
    const screen = await session(command, [...setUp, ...TYPED.map(([line]) => line)], where);
    for (const [line, printed] of TYPED) expect(screen, line).toContain(printed);
    expect(screen).not.toContain('opac: ');
  });
});

describe('in zsh', () => {
  it.runIf(has.zsh)('the script can lie among the functions of the shell', async () => {
    const where = await home();
    const { stdout } = await opac(['completion', 'zsh']);
    await writeFile(join(where.folder, '_opac'), stdout);
    const setUp = ['fpath=($PWD $fpath)', 'autoload -Uz compinit; compinit -u -D'];
    const screen = await session(['zsh', '-f', '-i'], [...setUp, 'opac venu\tcou\t--mock'], where);
    expect(screen).toContain('venues');
    expect(screen).not.toContain('opac: ');
  });
});

describe('in fish', () => {
  const OFFERED = {
    'opac ven': ['venues'],
    'opac objects ': ['count', 'diff', 'export', 'fields', 'get', 'list'],
    'opac objects list --mock --columns id,recordT': ['id,recordType'],
    'opac objects list --format=nd': ['--format=ndjson'],
    'opac profiles use ': ['my-museum'],
    'opac objects list -o prof': ['profiles.json'],
  };

  it.runIf(has.fish)('the tab offers commands, options, columns, profiles and files', async () => {
    const { folder, environment } = await home();
    await opac(['completion', 'fish', '-o', join(folder, 'opac.fish')]);
    const script = 'source opac.fish; for line in $argv; complete -C $line; echo; end';
    const fish = spawnSync('fish', ['--no-config', '-c', script, ...Object.keys(OFFERED)], {
      cwd: folder,
      env: environment,
      encoding: 'utf8',
    });
    const offered = fish.stdout
      .split('\n\n')
      .slice(0, -1)
      .map((all) => lines(all).map((each) => each.split('\t')[0]));
    expect(offered).toEqual(Object.values(OFFERED));
  });
});

describe('in any shell', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('%s has a script', async (shell) => {
    const { code, stdout } = await opac(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('opac complete');
  });

  it('one that is not known is a mistake', async () => {
    const { code, stderr } = await opac(['completion', 'bsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "bash"?');
  });

  it('no word makes it fail or speak', async () => {
    for (const words of [
      [],
      ['--no-such', ''],
      ['zzz', 'y', ''],
      ['-'],
      ['objects', 'list', '--columns', ','],
    ]) {
      expect(await opac(['complete', '--', ...words])).toMatchObject({ code: 0, stderr: '' });
    }
  });
});
