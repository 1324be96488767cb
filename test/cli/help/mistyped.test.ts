/** Mistakes on the command line: opac exits with 2, and prints the mistake and often the nearest valid name. */
import { describe, expect, it } from 'vitest';
import { collectOutcomes } from '../../e2e/run-against-museum.js';
import { runAgainstMuseum } from '../run-against-museum.js';

describe('a mistake on the command line', () => {
  const ROWS = [
    ['objcts list', 'unknown command "objcts"; did you mean "opac objects"?'],
    ['report', 'unknown command "report"; did you mean "opac objects report"?'],
    ['duplicates', 'unknown command "duplicates"; did you mean "opac objects duplicates"?'],
    ['facets objects', 'unknown command "facets objects"; did you mean "opac facets list objects"?'],
    ['objects list --sort title:down', 'invalid value "title:down" for --sort; write title or title:desc'],
    ['objects list --sort title:descending', 'write title or title:desc'],
    ['objects list --sort -title', 'invalid value "-title" for --sort; write title or title:desc'],
    ['objects lits', 'unknown command "objects lits"; did you mean "opac objects list"?'],
    ['objects search wax', 'unknown command "objects search"; did you mean "opac objects list"?'],
    ['objects exprot', 'unknown command "objects exprot"; did you mean "opac objects export"?'],
    ['records show 1', 'unknown command "records show"; see: opac records --help'],
    ['objects --limit 2 count', 'unknown option "--limit"; see: opac objects --help'],
    ['facets list objcts', 'invalid kind "objcts"; did you mean "objects"?'],
    ['images list --rights x=y', 'unknown option "--rights"; use --where image@copyright="<value>"'],
    ['objects list --empty inscription', 'unknown option "--empty"; use --where "<field>="'],
    ['objects export --missing inscription', 'unknown option "--missing"; use --where "<field>="'],
    [
      'objects list --date 1840-1850',
      'unknown option "--date"; to search a field, use --where "date=<value>"; see: opac objects list --help',
    ],
    ['objects list --formt csv', 'unknown option "--formt"; did you mean --format?'],
    ['objects list --page-sise 3', 'unknown option "--page-sise"; did you mean --page-size?'],
    ['objects list -f ndjsn', 'invalid value "ndjsn" for --format; did you mean "ndjson"?'],
    ['objects list --where maker_name', '"maker_name" is not <field>=<value>'],
    ['objects list --limit 0', 'invalid value "0" for --limit; must be an integer of at least 1'],
    ['objects list --limit 5 --all', '--all cannot be used with --limit'],
    ['objects list --offset -1', 'invalid value "-1" for --offset; must be an integer of at least 0'],
    ['objects list --page-size x', 'invalid value "x" for --page-size; must be an integer of at least 1'],
    [
      'objects list --timeout 0',
      'invalid value "0" for --timeout; must be a duration such as 60s, 500ms, 2m or 1h',
    ],
    ['objects list --retries some', 'invalid value "some" for --retries; must be an integer of at least 0'],
    ['objects list --concurrency 0', 'invalid value "0" for --concurrency; must be an integer of at least 1'],
    ['objects list --rate -1', 'invalid value "-1" for --rate; must be a number greater than 0'],
    ['objects list --quiet --verbose', '--quiet cannot be used with --verbose'],
    ['objects list --mock', '--mock cannot be used with --base-url'],
    ['objects list --query @-  --external-id -', 'only one option can read standard input'],
    ['objects list --query @missing.txt', 'file not found: "missing.txt"'],
    ['objects list --columns @missing.txt', 'file not found: "missing.txt"'],
    ['objects list --columns ,', 'no column names in ","'],
    ['objects get', 'missing required argument "id"'],
    ['objects get ..', 'invalid id ".."'],
    ['records get 1', 'unknown command "records get"'],
  ] as const;

  it('causes an error message and exit code 2, without any request', async () => {
    const outcome = await collectOutcomes(ROWS, async ([line, message]) => {
      const { code, stdout, stderr, requests } = await runAgainstMuseum(line);
      return { code, stdout, requests, error: stderr.includes(message) ? message : stderr };
    });
    expect(outcome).toEqual(
      Object.fromEntries(ROWS.map(([line, error]) => [line, { code: 2, stdout: '', requests: [], error }])),
    );
  });
});

describe('an unknown name of a field, column, view or facet', () => {
  const ROWS = [
    ['objects list --columns id,makr_name', 'column "makr_name" does not exist; did you mean "maker_name"?'],
    [
      'objects list --columns image.captoin',
      'column "image.captoin" does not exist; did you mean "image.caption"?',
    ],
    ['objects list --columns image.copyright', 'did you mean "image@copyright"?'],
    [
      'objects list --columns rights',
      'column "rights" does not exist; choose from image.caption, image@copyright,',
    ],
    ['objects list --where makr_name=x', 'unknown field "makr_name" of objects; did you mean "maker_name"?'],
    ['objects count --where makr_name=x', 'unknown field "makr_name" of objects; did you mean "maker_name"?'],
    ['objects list --columns caption', 'column "caption" does not exist; did you mean "image.caption"?'],
    ['objects list --where caption=', 'unknown field "caption" of objects; did you mean "image.caption"?'],
    [
      'images list --where copyright=CC0',
      'unknown field "copyright" of objects; did you mean "image@copyright"?',
    ],
    [
      'images download p --rights copyright=CC0',
      'no record has a field "copyright"; did you mean "image@copyright"?',
    ],
    [
      'images sheet --rights rights=CC0 -o x.html',
      'no record has a field "rights"; did you mean "image@copyright"?',
    ],
    ['images list --where rights=CC0', 'unknown field "rights" of objects; did you mean "image@copyright"?'],
    [
      'images sheet --where Licence=CC0',
      'unknown field "Licence" of objects; did you mean "image@copyright"?',
    ],
    ['records list --where life_dats=x', 'unknown field "life_dats" of records; did you mean "life_dates"?'],
    ['objects list --where qqqqqqqq=x', 'choose from accession_no, name, maker_name'],
    [
      'objects list --where title@problem=different',
      'the column "title" has no "@problem"; @from, @to and @problem are only for fields of dates',
    ],
    ['objects list --sort nme', 'unknown field "nme" of objects; did you mean "name"?'],
    ['objects list --view nosuch', '"View : nosuch does not exist"'],
    [
      'objects list --facet clasification=x',
      'unknown facet "clasification" of objects; did you mean "classification"?',
    ],
  ] as const;

  it('causes an error message and exit code 2', async () => {
    const outcome = await collectOutcomes(ROWS, async ([line, message]) => {
      const { code, stdout, stderr } = await runAgainstMuseum(line);
      return { code, stdout, error: stderr.includes(message) ? message : stderr };
    });
    expect(outcome).toEqual(
      Object.fromEntries(ROWS.map(([line, error]) => [line, { code: 2, stdout: '', error }])),
    );
  });

  it('causes only an error message, not the note that opac reads all records', async () => {
    const { stderr } = await runAgainstMuseum('objects list --sort titel');
    expect(stderr).toBe('opac: unknown field "titel" of objects; did you mean "title"?\n');
  });

  it('causes no error in --query, nor in --where if it is a field of the query language', async () => {
    const hint = 'the service publishes no field "makr_name" of objects; did you mean "maker_name"?\n';
    for (const [line, more] of [
      ['objects list --query makr_name:x -f ids', hint],
      ['objects list --where collections=99 -f ids', ''],
    ] as const) {
      const { code, stderr } = await runAgainstMuseum(line);
      expect({ code, stderr }).toEqual({ code: 0, stderr: `no records match\n${more}` });
    }
  });
});
