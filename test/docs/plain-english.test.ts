/** Checks that the source, the docs and the help contain no words and phrases that readers had to read twice. */
import { readdir, readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { opac } from '../cli/run-in-process.js';

const PROJECT = fileURLToPath(new URL('../../', import.meta.url));

/** Words to avoid, and words to use instead. Only the patterns for names in code are case-sensitive. */
const DISCOURAGED: readonly (readonly [pattern: RegExp, better: string])[] = [
  [/\bheads?\b/i, 'header'],
  [/\bwhole\b/i, 'complete, entire or all'],
  [/\btold\b/i, 'reported, printed or noted'],
  [/\banew\b/i, 'again'],
  [/\bbeside\b/i, 'next to'],
  [/\bin place of\b/i, 'instead of'],
  [/\bof (its|your|their|one['’]s) own\b/i, 'its own, your own, their own'],
  [/\bgo(es)? (before|on)\b/i, 'takes precedence over, continues'],
  [/(?<!\bthere )\b(is|are|was|were) no\b(?! longer\b)/i, 'is not a, does not exist'],
  [/\b(is|are) there\b/i, 'exists'],
  [/\b(can|could|be) (not )?(be )?had\b|\bhad by\b/i, 'downloaded, available'],
  [/\b(is|are|was|were) (held|kept|tried|asked)\b/i, 'contains, saves, skips, requests'],
  [/\bnarrow(ing|ings|ed)\b/i, 'filter'],
  [/\bstretch(es)?\b/i, 'range'],
  [/\bjoints?\b/i, 'separator'],
  [/\bin (vain|step)\b/i, 'without success, parallel'],
  [/\bstrangers?\b/i, 'extraneous, unknown'],
  [/\bundisturbed\b|\bunhurried\b|\bhopeless\b/i, 'uninterrupted'],
  [/\bspelt\b/i, 'written'],
  [/\b(found out|told apart|left out|passed over)\b/i, 'detected, distinguished, omitted, skipped'],
  [/\b(one|a) \w+ a (line|row|file|record|value|page|cell|column)\b/i, 'per line, per row'],
  [/\bwhat (is|was|are|were|has|had) (not )?(been )?\w+ed\b/i, 'name the thing: requests without a response'],
  [/\b(whoever|whatever|whichever)\b/i, 'name who or what'],
  [/\bnobody\b/i, 'no user, no run'],
  [/\b(lies|lie|lay) (in|there|on|at|behind|next|here)\b/i, 'is'],
  [/\bstands? (in|there|at|behind|before|by|on)\b/i, 'is'],
  [/\b(upon|whereas|hence|lest|albeit|thereof|thus|for ever|the like)\b/i, 'a shorter word'],
  [/\bdoubled\b/i, 'duplicated'],
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bby way of\b|\bfor want of\b|\bat hand\b/i, 'through, without, available'],
  [/\bis exit \d/i, 'exits with'],
  [/\b(MOST|LONGEST|LEAST|LARGEST|DEEPEST|SMALLEST|HIGHEST)(_\w+)?\b/, 'MAX_, MIN_ or DEFAULT_'],
  [/\bfunction \w+Of\(|\bconst \w+Of = (async )?\(/, 'a verb: get, find, read, format, create'],
];

/** Words that another program, a standard or a file format requires, and words in the records of the museum. */
const ALLOWED: readonly (readonly [place: RegExp, line: RegExp])[] = [
  [/./, /<\/?head>|\bHEAD\b|\| head -n/],
  [/^src\/records\/cells\/plain-text\.ts/, /font head html/],
  [/^src\/export\/(verify\/manifest|write-outputs)\.ts/, /^ +heads: /],
  [/^src\/mirror\/commit\.ts/, /'\.whole'/],
  [/^src\/mock\/data\//, /\bwhole\b|Is there a picture|stands in \$\{place\}/],
];

async function* readLines(): AsyncGenerator<readonly [place: string, line: string]> {
  for (const folder of ['src', 'docs', '.']) {
    const files = await readdir(PROJECT + folder, { recursive: folder !== '.' });
    for (const file of files.filter((name) => /\.(ts|md)$/.test(name) && !/^service\b.*\.md$/.test(name))) {
      const lines = (await readFile(`${PROJECT}${folder}/${file}`, 'utf8')).split('\n');
      for (const [index, line] of lines.entries()) yield [`${folder}/${file}:${index + 1}`, line];
    }
  }
  const { stdout } = await opac(['help', '-f', 'json']);
  for (const line of stdout.split('\n')) yield ['help', line];
}

it('the source, the docs and the help contain no discouraged words', async () => {
  const found: string[] = [];
  for await (const [place, line] of readLines()) {
    if (ALLOWED.some(([file, allowed]) => file.test(place) && allowed.test(line))) continue;
    for (const [pattern, better] of DISCOURAGED) {
      const word = pattern.exec(line)?.[0];
      if (word !== undefined) found.push(`${place}: "${word}"; write: ${better}`);
    }
  }
  expect(found).toEqual([]);
});

it('the patterns match examples of discouraged words', () => {
  const lines = ['a line of its own', 'what was not answered', 'one id a line', 'const MOST_TRIES = 3;'];
  expect(lines.map((line) => DISCOURAGED.some(([pattern]) => pattern.test(line)))).toEqual(
    lines.map(() => true),
  );
});
