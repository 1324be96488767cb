/** What `opac help <topic>` says beside the commands. */
import { EXIT_CODE_MEANINGS } from '../exit-codes.js';
import { wrap } from '../output/terminal/text.js';

const QUERY = `How to say what you are looking for

Words search everywhere; each word or quoted phrase must occur:
  opac objects list blake "paradise lost"

--where compares a field with a value, whatever the value holds; several are joined by AND:
  opac objects list --where maker_name="William Blake" --where production_date=1795

--collection, --highlight, --external-id and --facet narrow a search further, --has-images keeps records with images.

--query sends a query as you write it. Its parts are field:value terms, joined by AND:
  maker_name:"William Blake" AND collections:"7"
  external_object_id:("192938", "192939")
Put values in double quotes; inside them, write \\" for a quote and \\\\ for a backslash.
collections, highlight and external_object_id are fields of the service; all others are the deployment's own.

Where a shell makes quotes hard, keep the query in a file: --query-file query.txt, or - for standard input.
--dry-run shows the query as it will be sent.`;

const COLUMNS = `Columns, for --columns, CSV headers and tables

  id title recordType slug collection    what every record has
  maker_name                             a field: all its values
  measurements[0]                        a field: one of its values, the first being 0
  production_date@earliest_date          an attribute of a field
  image.count  image.url                 how many images; the address of the largest derivative of each
  image.LARGE.url  (.width, .height)     a derivative: NANO, TINY, SMALL, MEDIUM, LARGE, XLARGE, DISPLAY, THUMBNAIL
  label                                  image labels
  relationship.object_prod_pri_person    titles of the related records
  field.title                            the field "title", where a name above means something else; it is not checked against what the deployment publishes

--columns id,title,maker_name     these, in this order
--columns @columns.txt            names from a file, one a line
--columns all                     every column, attributes included
Without --columns, files have every field in order of first appearance; tables show the few that people look for.`;

const EXPORTS = `What an export leaves, and how to live with it

  objects.csv                  there whole or not at all: an older one stays until the new one is whole
  objects.csv.manifest.json    what was asked, what the service reported, what came, SHA-256: see opac verify
  objects.csv.part and others  a run that broke off: the same command with --resume goes on and ends in the same bytes
  objects.incomplete.csv       what came of an export that lacks records: exit 6, and the manifest beside it names them
  objects.csv.lock             another run is writing: a second one is refused

Every night, without a person:
  opac objects export -o objects.csv --resume --quiet && opac verify objects.csv
--resume begins at the first record where no run broke off. With --quiet the export says errors alone; exit 6 means that records are missing, exit 5 that the deployment did not answer: see opac help exit-codes.

Several values in a cell, by --multi:
  join=<separator>  one cell; a separator inside a value has a backslash before it. Quote it for the shell: --multi 'join=; '
  json              a JSON array where there are several
  first             the first; the others are left out
  rows=<field>      one row for each value of the field, the other columns repeated

For Excel, --excel or -f xlsx. --excel writes ="0012" for text that Excel would rewrite as a number or a date, and ' before what it would run as a formula; without it, values are as the museum wrote them.`;

const EXIT_CODES = `Exit codes

${EXIT_CODE_MEANINGS.map(([code, meaning]) => `${String(code).padStart(5)}  ${meaning}`).join('\n')}`;

/** The text of a topic in lines of that width; command lines are left whole, so that they can be copied. */
export function topicText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [term = ''] = /^ +.*\S {2,}(?=\S)/.exec(line) ?? [];
      if (term === '' && line.startsWith(' ')) return [line];
      const [first = '', ...rest] = wrap(line.slice(term.length), width - term.length);
      return [term + first, ...rest.map((each) => ' '.repeat(term.length) + each)];
    })
    .join('\n');
}

export const TOPICS: ReadonlyMap<string, string> = new Map([
  ['query', QUERY],
  ['columns', COLUMNS],
  ['exports', EXPORTS],
  ['exit-codes', EXIT_CODES],
]);
