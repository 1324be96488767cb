/** `opac completion` in real shells. */
import { spawn, spawnSync } from 'node:child_process';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createFolder, opac, SCRIPT, waitForEnd } from './opac.js';
import { hasPrograms } from './programs.js';
import { splitLines } from './run-against-museum.js';

const hasTerminal = hasPrograms(['script'], 'completion in interactive shells');
const has = {
  bash: hasPrograms(['bash'], 'completion in bash') && hasTerminal,
  zsh: hasPrograms(['zsh'], 'completion in zsh') && hasTerminal,
  fish: hasPrograms(['fish'], 'completion in fish'),
};

/** Creates a home folder with a command `opac` and a stored profile. */
async function createHome(): Promise<{
  readonly folder: string;
  readonly environment: Record<string, string>;
}> {
  const folder = await createFolder();
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

/** Types lines into a shell in a simulated terminal. Returns the complete output of the terminal. */
async function runSession(
  shell: readonly string[],
  typed: readonly string[],
  home: Awaited<ReturnType<typeof createHome>>,
) {
  const child = spawn('script', ['-qec', shell.join(' '), '/dev/null'], {
    cwd: home.folder,
    env: home.environment,
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  child.stdin.end([...typed, 'exit', ''].join('\n'));
  return (await waitForEnd(child)).stdout;
}

/** Input lines with tab characters, and a part of the output of each completed command. */
const TYPED = [
  ['opac obj\tcou\t--mock', '163'],
  ['opac objects list --mock --columns id,recordT\t --limit 1 -f csv', '20011,object'],
  ['opac persons list --mock --limit 1 --format=id\t', '5003'],
] as const;

describe.each([
  ['bash', ['bash', '--norc', '--noprofile', '-i'], ['source <(opac completion bash)']],
  ['zsh', ['zsh', '-f', '-i'], ['autoload -Uz compinit; compinit -u -D', 'source <(opac completion zsh)']],
] as const)('completion in %s', (shell, command, setUp) => {
  it.runIf(has[shell])('completes commands, options and columns', async () => {
    const home = await createHome();
    const screen = await runSession(command, [...setUp, ...TYPED.map(([line]) => line)], home);
    for (const [line, printed] of TYPED) expect(screen, line).toContain(printed);
    expect(screen).not.toContain('opac: ');
  });
});

describe('the completion script as a function file of zsh', () => {
  it.runIf(has.zsh)('completes commands', async () => {
    const home = await createHome();
    const { stdout } = await opac(['completion', 'zsh']);
    await writeFile(join(home.folder, '_opac'), stdout);
    const setUp = ['fpath=($PWD $fpath)', 'autoload -Uz compinit; compinit -u -D'];
    const screen = await runSession(['zsh', '-f', '-i'], [...setUp, 'opac venu\tcou\t--mock'], home);
    expect(screen).toContain('venues');
    expect(screen).not.toContain('opac: ');
  });
});

describe('completion in fish', () => {
  const OFFERED = {
    'opac ven': ['venues'],
    'opac objects ': ['count', 'diff', 'export', 'fields', 'get', 'list'],
    'opac objects list --mock --columns id,recordT': ['id,recordType'],
    'opac objects list --format=nd': ['--format=ndjson'],
    'opac profiles use ': ['my-museum'],
    'opac objects list -o prof': ['profiles.json'],
  };

  it.runIf(has.fish)('offers commands, options, columns, profiles and files', async () => {
    const { folder, environment } = await createHome();
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
      .map((all) => splitLines(all).map((each) => each.split('\t')[0]));
    expect(offered).toEqual(Object.values(OFFERED));
  });
});

describe('opac completion', () => {
  it.each(['bash', 'zsh', 'fish', 'powershell'])('prints a script for %s', async (shell) => {
    const { code, stdout } = await opac(['completion', shell]);
    expect(code).toBe(0);
    expect(stdout).toContain('opac complete');
  });

  it('refuses an unknown shell and suggests a known one', async () => {
    const { code, stderr } = await opac(['completion', 'bsh']);
    expect(code).toBe(2);
    expect(stderr).toContain('did you mean "bash"?');
  });

  it('uses "opac complete", which prints no error even for invalid words', async () => {
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
