/** Runs the shell lines of the recipes in docs/several-machines.md, with the environment variables that each system sets. */
import { execFileSync } from 'node:child_process';
import { chmod, readFile, writeFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { startMuseum } from '../../../../../src/mock/index.js';
import { listCodeBlocks, listShellBlocks, readPageText } from '../../../../docs/documents.js';
import { createFolder } from '../../../../e2e/opac.js';
import { opac } from '../../../run-in-process.js';

const PAGE = readPageText('several-machines');
const RECIPES = listCodeBlocks(PAGE, 'yaml').map((text) => parse(text));

type Environment = Readonly<Record<string, string>>;
interface Step {
  readonly line: string;
  readonly environment: Environment;
}

/** One step for each part, and the command line that joins the parts. */
interface Recipe {
  readonly parts: readonly Step[];
  readonly join: string;
}

const listNumbers = (count: number) => Array.from({ length: count }, (_, n) => n);
const isOpacCommand = (line: unknown): line is string => /^(npx )?opac |^parallel opac /.test(String(line));
const selectCommands = (script: readonly unknown[]) => script.filter(isOpacCommand);

/** Replaces `${{ … }}` as GitHub does. */
function replaceExpressions(line: string, values: Environment): string {
  return line.replaceAll(/\$\{\{ (.*?) \}\}/g, (expression, name: string) => values[name] ?? expression);
}

function readGitHub(): Recipe {
  const { jobs } = RECIPES.find((each) => each.jobs?.export);
  const { matrix } = jobs.export.strategy;
  const run = (job: { steps: { run?: string }[] }) => selectCommands(job.steps.map((step) => step.run));
  expect(jobs.join.needs).toBe('export');
  const total = String(matrix.part.length);
  return {
    parts: matrix.part.map((part: number) => ({
      line: replaceExpressions(String(run(jobs.export)), {
        'matrix.part': String(part),
        'strategy.job-total': total,
      }),
      environment: {},
    })),
    join: String(run(jobs.join)),
  };
}

function readGitLab(): Recipe {
  const { export: job, join: last } = RECIPES.find((each) => each.export?.parallel);
  const order = ['build', 'test', 'deploy'];
  expect(order.indexOf(last.stage)).toBeGreaterThan(order.indexOf(job.stage));
  return {
    parts: listNumbers(job.parallel).map((n) => ({
      line: String(selectCommands(job.script)),
      environment: { CI_NODE_INDEX: String(n + 1), CI_NODE_TOTAL: String(job.parallel) },
    })),
    join: String(selectCommands(last.script)),
  };
}

function readKubernetes(): Recipe {
  const { spec } = RECIPES.find(({ kind }) => kind === 'Job');
  const { containers, volumes } = spec.template.spec;
  const [{ command, env, volumeMounts }] = containers;
  expect(volumeMounts).toEqual([{ name: volumes[0].name, mountPath: '/data' }]);
  expect(command.slice(0, 2)).toEqual(['sh', '-c']);
  const own = Object.fromEntries(env.map(({ name, value = '' }: Environment) => [name, value]));
  const [, line = ''] = /^`(opac objects export --from .*)`$/m.exec(PAGE) ?? [];
  return {
    parts: listNumbers(spec.completions).map((n) => ({
      line: command[2],
      environment: { ...own, JOB_COMPLETION_INDEX: String(n) },
    })),
    join: line,
  };
}

function readGnuParallel(): Recipe {
  const block = listShellBlocks(PAGE).find((text) => text.startsWith('parallel ')) ?? '';
  const [line = '', last = ''] = block.split('\n');
  return { parts: [{ line, environment: {} }], join: last };
}

/** Prints its arguments, so that this process can run the commands of a shell line. */
const PRINTS_WORDS = `#!/bin/sh\nfor word; do printf '%s\\037' "$word"; done; printf '\\036'\n`;
/** Replaces GNU parallel, which some machines do not have. It supports only "{}" and ":::". */
const PARALLEL = `#!/bin/bash
words=(); while [ "$1" != ::: ]; do words+=("$1"); shift; done; shift
for input; do "\${words[@]//'{}'/$input}"; done\n`;

async function expandCommands({ line, environment }: Step, folder: string): Promise<string[][]> {
  const bin = await createFolder();
  const programs = { opac: PRINTS_WORDS, npx: '#!/bin/sh\nexec "$@"\n', parallel: PARALLEL };
  for (const [name, text] of Object.entries(programs)) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  const printed = execFileSync(
    'sh',
    ['-c', line.replaceAll('/data/', `${folder}/`).replace('--rate 8', '--rate 400')],
    {
      cwd: folder,
      env: { ...environment, PATH: bin + delimiter + process.env.PATH },
      encoding: 'utf8',
    },
  );
  const inFolder = (word: string) => (/^[\w*-]+\.(?:csv|ndjson\.gz)$/.test(word) ? join(folder, word) : word);
  return printed
    .split('\x1e')
    .slice(0, -1)
    .map((words) => words.split('\x1f').slice(0, -1).map(inFolder));
}

it.each([
  ['GitHub Actions', readGitHub, 4],
  ['GitLab', readGitLab, 4],
  ['Kubernetes', readKubernetes, 4],
  ['GNU parallel', readGnuParallel, 2],
])(
  'exports parts that together equal a single export, with the recipe for %s',
  async (_, readRecipe, machines) => {
    const museum = await startMuseum();
    onTestFinished(() => museum.close());
    const folder = await createFolder();
    const run = async (step: Step) => {
      const environment = {
        ...step.environment,
        OPAC_BASE_URL: museum.url,
        OPAC_BASIC_KEY: museum.basicKey,
        OPAC_PAGE_SIZE: '20',
      };
      const commands = await expandCommands(step, folder);
      for (const words of commands) expect(await opac(words, { environment })).toMatchObject({ code: 0 });
      return commands.length;
    };
    const { parts, join: line } = readRecipe();
    let count = 0;
    for (const part of parts) count += await run(part);
    expect(count).toBe(machines);
    expect(await run({ line, environment: {} })).toBe(1);
    const single = join(folder, 'whole.csv');
    await opac(['objects', 'export', '--base-url', museum.url, '--page-size', '20', '-o', single]);
    expect(await readFile(join(folder, 'all.csv'), 'utf8')).toBe(await readFile(single, 'utf8'));
  },
);
