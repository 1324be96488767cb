/** The texts of `opac help <topic>`. */
import { ERROR_CODES } from '../../service/error-codes.js';
import { EXIT_CODE_MEANINGS } from '../exit-codes.js';
import { USUAL_VARIABLES, VARIABLES } from '../options/environment.js';
import { ERROR_SCHEMA } from '../output/error-json.js';
import { wrap } from '../output/terminal/text.js';

const QUERY = `Searching

Words search everywhere; every word or quoted phrase must match:
  opac objects list blake "paradise lost"

--where compares a field with a value and quotes the value for you; repeat it to join conditions with AND:
  opac objects list --where maker_name="William Blake" --where production_date=1795

--collection, --highlight, --external-id and --facet narrow a search further; --has-images keeps only records with images.

--query sends a query as you write it: field:value terms, joined by AND:
  maker_name:"William Blake" AND collections:"7"
  external_object_id:("192938", "192939")
Put values in double quotes; inside them, write \\" for a quote and \\\\ for a backslash.
--where title=fern finds records whose field holds these words side by side, also among others; --exact keeps those whose whole value it is. --where inscription= finds records without a value. --where accession_no=@numbers.txt takes whole values from a file, one a line or from the column with that head in a table (CSV, TSV; @- from standard input), and names those that were not found; for a value that begins with @ write @@.
The names of --where are the fields of the deployment; a name that it does not have is refused. Other columns (opac help columns), such as image.url, label, slug, relationship.<id> and production_date@earliest_date, are no part of the query language: all matching records are read, and the whole value is compared. --where image.url= finds records without an image. field.label means the field "label", where the name is also that of a column.

The service defines the fields collections, highlight and external_object_id; all others belong to the deployment.

If your shell makes quoting hard, put the query in a file and use --query @query.txt, or @- for standard input.
--dry-run shows the query as it will be sent.`;

const COLUMNS = `Columns, for --columns, CSV headers and tables

  id title recordType slug collection    every record has these
  maker_name                             a field: all its values
  measurements[0]                        a field: one of its values, counted from 0
  production_date@earliest_date          an attribute of a field
  image.count  image.url                 number of images; URL of the largest derivative of each
  image.LARGE.url  (.width, .height)     a derivative: NANO, TINY, SMALL, MEDIUM, LARGE, XLARGE, DISPLAY, THUMBNAIL
  label                                  image labels
  relationship.object_prod_pri_person    titles of the related records
  field.title                            the field "title", where a name above means something else; not checked against the deployment's fields

--columns id,title,maker_name     these columns, in this order
--columns id,image.url=image_url  a head of your own behind =; write \\= for = in the name of a field, \\, for a comma
--columns @columns.txt            names from a file, one per line
--columns @old.csv                the columns of an earlier table (CSV, TSV, XLSX; .gz), in its order and with its heads
--columns all                     every column, including attributes
With -f json and ndjson, list and get print objects of the columns: a column of which a record may have several values is a list.
A column of an earlier table that is no field any more stays, empty, with a warning. What a head stands for is in the manifest beside the table; without one, the head is the name of the column.
--sql-names makes every head a name for databases: lower-case letters without accents, digits and _, not beginning with a digit; the second of two that are alike ends in _2, and a word of SQL in _ (order_).
Without --columns, files contain every field in order of first appearance; tables show a few common fields.`;

const EXIT_CODES = `Exit codes

${EXIT_CODE_MEANINGS.map(([code, meaning]) => `${String(code).padStart(5)}  ${meaning}`).join('\n')}`;

const ERRORS = `Errors for programs: --error-format json, or OPAC_ERROR_FORMAT=json

An error is then one line of JSON on standard error, the last one. With --quiet it is the only one. Its keys:
${rows(Object.entries(ERROR_SCHEMA.properties).map(([key, { description }]) => [key, description]))}

The codes; those marked with * may go away by themselves (retry is true):
${rows(Object.entries(ERROR_CODES).map(([code, { meaning, retry }]) => [retry ? `${code} *` : code, meaning]))}

A code keeps its meaning between versions. A script that meets a code it does not know acts on kind, or on the exit code. opac help errors -f json prints the JSON Schema and the codes.`;

const ENVIRONMENT = `Environment variables

An option goes before its variable, and a variable before the profile (opac profiles set). An empty variable counts as none, except one to log in with and nothing else to log in: that is an error, as is the misspelt name of a variable below.

${rows(VARIABLES)}

Usual ones that have an effect here too:
${rows(USUAL_VARIABLES)}`;

function rows(table: readonly (readonly [term: string, meaning: string])[]): string {
  const width = Math.max(...table.map(([term]) => term.length));
  return table.map(([term, meaning]) => `  ${term.padEnd(width)}  ${meaning}`).join('\n');
}

/** The text of a topic in lines of that width; command lines are left whole, so that they can be copied. */
export function topicText(text: string, width: number): string {
  return text
    .split('\n')
    .flatMap((line) => {
      const [term = ''] = /^ .*\S {2,}(?=\S)/.exec(line) ?? [];
      if (term === '' && line.startsWith(' ')) return [line];
      const [first = '', ...rest] = wrap(line.slice(term.length), width - term.length);
      return [term + first, ...rest.map((each) => ' '.repeat(term.length) + each)];
    })
    .join('\n');
}

const CHECK_REPORT = `The JSON report of a check

"opac check --report json=check.json" writes what was checked, expected and received.
"opac help check-report -f json" prints its JSON schema.`;

export const TOPICS: ReadonlyMap<string, string> = new Map([
  ['query', QUERY],
  ['columns', COLUMNS],
  ['exit-codes', EXIT_CODES],
  ['errors', ERRORS],
  ['environment', ENVIRONMENT],
  ['check-report', CHECK_REPORT],
]);
