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

const EXPORTS = `Files of an export

  objects.csv                  replaced only when the export is complete
  objects.csv.manifest.json    what was requested and received, with a SHA-256; opac verify checks it
  objects.csv.part and others  an unfinished export: the records so far as NDJSON, their ids, and how far it is
  objects.csv.datapackage.json with --describe: a Frictionless Data Package: dialect, columns, types, counts; the licence is yours to add
  objects.incomplete.csv       an export with missing records (exit 6); its manifest lists them
  objects.csv.lock             another export is writing this file; a second one is refused

Exit 0 means that the file has the ids that the service has at the end of the run, and each record as it was when it was read. An export that was resumed, or during which the total or the records changed, is checked at its end by listing all ids of the service: missing records are fetched, removed ones are dropped. With --strict every export is checked in this way, which also finds a record that was replaced by another; the manifest counts the extra requests (idCheck).

An unfinished export of the same records is continued, with or without --resume, also to another format or with other columns. An unfinished export of other records is never touched: exit 2 names both exports. --force discards an unfinished export and starts again; --resume --force continues one of the same records, and discards any other.

A table exported without --columns over an earlier one of the same search keeps its columns in their order, also those that have no value now; new ones come last. Parquet, which programs read by the names of columns, has those of its records. Remove the earlier file to begin anew, or name the columns with --columns.

A result larger than the service gives, and exports by several machines: opac help slices.

Once --describe has written a description, every export to that file keeps it right, and keeps what you added: licenses, title, contributors.
list -o does not replace an export that has a manifest; --force does, and removes the manifest. An export of fewer than half of the records of the one it replaces warns; with --strict it keeps the old one and exits 6.

To export every night:
  opac objects export -o objects.csv --resume --strict --quiet && opac verify objects.csv --quiet
--resume starts from the first record when there is nothing to continue; add --force where an unfinished export of an earlier command may be discarded. --quiet prints only errors. Ids of a list that were not found are in the manifest (notFound); --strict makes them exit 6, without it they are only a warning, which --quiet hides. Exit 6 means that records are missing, exit 5 that the deployment did not respond: see opac help exit-codes.

Recipes for scripts:
  a date in the name, compressed; in a crontab write \\% for %:
      file=objects-$(date +%F).ndjson.gz
      opac objects export -o "$file" --resume --strict --quiet
  at most three hours, and the run of the night before may take another ten minutes:
      opac objects export -o "$file" --resume --strict --quiet --deadline 3h --wait-lock 10m
  a line of a log, from the manifest:
      jq -r '[.finished, .records, .files[0].bytes, .complete] | @tsv' "$file.manifest.json" >> exports.log
  an alert, with what went wrong:
      opac objects export -o "$file" --resume --strict --quiet 2> errors || mail -s "opac: exit $?" registrar@example.org < errors
  thirty days of files; opac verify finds the manifest of one that was renamed or compressed since by its content:
      find . -name 'objects-*' -mtime +30 -delete

For Excel, use --excel or -f xlsx. --excel writes ="0012" for text that Excel would change to a number or a date, and adds ' to text that Excel would run as a formula; without it, values are unchanged.`;

const SLICES = `Large results, and several machines

Some services give only the first 10,000 records of a search. An export finds that out and goes on by itself: it splits the search into slices that each fit, by ranges of a field, by the values of facets and fields, or from both ends of several orders; records without a value are a slice of their own. Ids and totals prove that the slices are everything. Records that no slice reaches are named, and the export exits with 6.

  --window <n>         how many records of a search the service gives; without it, this is found out
  --plan               print the slices and export nothing; only counts are requested. -f json is for programs
  --resume             follow the plan that the run began with: the bytes are those of an undisturbed run

The plan is in the manifest. Records that move from one slice to another during the run are found when all ids are listed at the end, and the movement is named. A window does not apply to --limit, --offset and lists of ids.

Parts
  opac objects export --part 3/8 -o part-3.ndjson.gz
  opac objects export --from 'part-*.ndjson.gz' -o all.csv
Each machine makes the same plan and exports its share; a share can be empty. Parts are NDJSON. --from joins them in any format: the file is that of a single export. It refuses by name a part that is missing, given twice, incomplete or changed, or from another search, total, plan or version. If the collection changed between the parts, export all of them again.

In a CI system, pass the number of the job: --part "$CI_NODE_INDEX/$CI_NODE_TOTAL" in GitLab, --part "$((JOB_COMPLETION_INDEX + 1))/8" in an indexed Kubernetes Job, --part {}/8 in GNU parallel.

--rate is for all parts together: with --rate 8, each of 8 parts sends one request per second. --concurrency is that of each part.

Folders of files, read as one table
  opac objects export --split 100000 -o objects.parquet
The files of a split have the same columns and types. More: opac help engines.`;

const FORMATS_TOPIC = `Formats of tables

CSV follows RFC 4180: commas, UTF-8, lines end with LF. A cell is in double quotes if it holds a quote, a comma or a line break; a quote in it is doubled. TSV is the same with tabs in place of commas: pandas, Python's csv, DuckDB, sqlite3, csvkit, LibreOffice and R read it by default; for Miller say --csv --fs tab, for VisiData --filetype csv --csv-delimiter with a tab. VisiData before version 3 needs vd --encoding utf-8-sig for the byte order mark of --excel.

How --multi writes several values in a cell:
  join=<separator>  joined; the default is join=|. Quote it for the shell: --multi 'join=; '
  json              as a JSON array, in every column that can have several values
  first             only the first value that is not empty
  rows=<field>      one row per value of the field, repeating the other columns

A single value stands as the museum wrote it. Where several are joined, \\ precedes a separator that stands in a value: a|b\\|c is "a" and "b|c". A backslash that stands right before a separator is doubled. An empty value among several is left out, unless another field of the record has as many values: such lists may belong together, and stay in step.

--plain-text strips HTML from the texts of records: tags and comments go, entities are decoded (&amp; but not &copy without its semicolon), <br> becomes a line break, and paragraphs, items and rows stand on lines of their own. Between < and > only the elements of HTML are tags: a < b and <illegible> stay. Ids, slugs and addresses stay as they are.

XLSX has one sheet under a head that stays in view. It holds text, so that 0012 and 1/2 stay what they are; production_date@earliest_date and other dates from March 1900 on are dates. --excel writes CSV that Excel opens unchanged: opac help exports.`;

const ENGINES = `Exports in engines and data frames

Parquet keeps several values as lists and gives dates, numbers, images and relationships their types:
  opac objects export -o objects.parquet

DuckDB
  SELECT maker, count(*) FROM (SELECT unnest(maker_name) AS maker FROM 'objects.parquet') GROUP BY ALL;
  SELECT id, title FROM 'objects.parquet' WHERE production_date_attributes[1].earliest_date < DATE '1800-01-01';
  COPY (SELECT id, title, maker_name[1] AS maker FROM 'objects.parquet') TO 'makers.csv';

pandas
  import pandas as pd
  objects = pd.read_parquet('objects.parquet')
  objects.explode('maker_name').groupby('maker_name').size()

Spark
  from pyspark.sql.functions import explode
  objects = spark.read.parquet('objects.parquet')
  objects.select(explode('maker_name').alias('maker')).groupBy('maker').count().show()
Spark 3 reads dates before 1582 only after spark.conf.set('spark.sql.parquet.datetimeRebaseModeInRead', 'CORRECTED').

sqlite-utils
  opac objects export --flat -o objects.ndjson
  sqlite-utils insert museum.db objects objects.ndjson --nl --pk id
  sqlite-utils query museum.db "select id, title from objects where json_extract(fields, '$.maker_name[0]') like 'Blake%'"

Large collections
  opac objects export --split 100000 -o objects.parquet
The files have the same columns; read them as one table, by a pattern: 'objects-*.parquet'. The manifest lies beside them. For parts: opac help slices.

Columns: id, recordType, title and slug are text; collection is a struct of id and name; each field is a list of text, with <field>_attributes in step where its values have attributes; images and relationships are lists of structs. A field that is absent is NULL; one without a value is an empty list. Attributes whose values are all dates from the year 1 to 9999 are dates. Of two names that differ only in case, the second is field.<name>. --columns takes the names of tables: opac help columns.`;

const COPIES = `Copies: ask a file, see what changed, keep a mirror

Ask a file in place of the deployment; nobody is asked, and results are the same:
  opac objects export -o objects.ndjson.gz
  opac objects list --from objects.ndjson.gz --where maker_name="Ann Fereday"
  opac objects export --from objects.ndjson.gz --columns id,title -o objects.csv
Any export as NDJSON or JSON will do, also .gz or .zst; repeat --from for files of several kinds, quote a pattern (--from '*.ndjson'), or name the folder of a mirror.

See what changed since:
  opac objects diff january.ndjson.gz
  opac diff january.ndjson.gz february.ndjson.gz -o changes.html
One file is compared with the deployment now. Scores, order and addresses that only look different are left out. --ask tells records withdrawn from those that an export missed.

Keep a mirror, for a crontab:
  opac sync mirror --kinds objects,persons --quiet
  opac objects list --from mirror fern
Exit 0 means that the mirror is the current state. Each run that finds changes writes them to mirror/changes; a run that fails changes nothing, and the next one begins anew. --on-change <command> gets each file of changes at least once, oldest first: what the command fails to take, the next run hands on again. With --newest-first <field> a run reads little when little changed.

Each command reads the files from the start: about 6 s of CPU for 100,000 records. For many searches, serve them with: opac mock --data objects.ndjson, or load them into a database: opac help engines.`;

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
  ['formats', FORMATS_TOPIC],
  ['exports', EXPORTS],
  ['slices', SLICES],
  ['engines', ENGINES],
  ['copies', COPIES],
  ['exit-codes', EXIT_CODES],
  ['errors', ERRORS],
  ['environment', ENVIRONMENT],
  ['check-report', CHECK_REPORT],
]);
