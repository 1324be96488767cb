/** The families of commands in the fault matrix (matrix.ts): one command line each, and how it fails. */
import type { Fault } from '../../src/mock/index.js';

export interface Family {
  readonly name: string;
  /** A command line without `opac`. `{folder}` stands for an empty folder. */
  readonly line: string;
  /**
   * - search: pages of records
   * - one: single responses
   * - export: a file; after a failure, the export can be resumed
   * - mirror: a folder that a failure does not change
   * - pictures: a folder of images
   * - check: many kinds of requests, and a report
   * - login: OAuth
   * - offline: no requests
   */
  readonly type: 'search' | 'one' | 'export' | 'mirror' | 'pictures' | 'check' | 'login' | 'offline';
  /** The file that contains the result. Default: standard output. */
  readonly file?: string;
  /** The requests that fail. Default: all requests of the command. */
  readonly on?: Fault['on'];
  /** The requests are searches. For a search, 404 means that the API does not exist at this URL. */
  readonly searches?: true;
  /** The result has one line per record. Each line begins with the id. */
  readonly lists?: true;
}

const createExportFamily = (file: string): Family => ({
  name: `export ${file.slice(2)}`,
  line: `objects export --page-size 40${/json$|ids$/.test(file) ? '' : ' --columns id,title'} -o {folder}/${file}`,
  type: 'export',
  file,
  searches: true,
  ...(!/json$|gz$|xlsx$|ids$/.test(file) && { lists: true }),
});

export const FAMILIES: readonly Family[] = [
  {
    name: 'list',
    line: 'objects list --all --page-size 40 --columns id,title -f tsv',
    type: 'search',
    searches: true,
    lists: true,
  },
  { name: 'list json', line: 'persons list --all -f json', type: 'search', searches: true },
  { name: 'list records', line: 'records list --limit 30 -f ndjson', type: 'search', searches: true },
  { name: 'get', line: 'objects get 20011 20022 -f json', type: 'one' },
  { name: 'count', line: 'objects count', type: 'one', searches: true },
  {
    name: 'sync',
    line: 'sync {folder}/m --kinds objects --ending ndjson',
    type: 'mirror',
    file: 'm/objects.ndjson',
    searches: true,
  },
  { name: 'fields', line: 'objects fields -f tsv', type: 'one', searches: true },
  { name: 'facets list', line: 'facets list objects -f tsv', type: 'one', searches: true },
  {
    name: 'facets get',
    line: 'facets get objects classification -f tsv',
    type: 'one',
    // If the name is not a facet, it may be a column. Then opac reads all records and counts the values.
    searches: true,
  },
  createExportFamily('o.csv'),
  createExportFamily('o.tsv'),
  createExportFamily('o.ids'),
  createExportFamily('o.json'),
  createExportFamily('o.ndjson'),
  createExportFamily('o.csv.gz'),
  createExportFamily('o.xlsx'),
  { name: 'images list', line: 'images list --all -f tsv', type: 'search', searches: true },
  {
    name: 'images download, search',
    line: 'images download {folder}/p --limit 4',
    type: 'export',
    file: 'p/index.csv',
    on: 'objects',
    searches: true,
  },
  {
    name: 'images download',
    line: 'images download {folder}/p --limit 4',
    type: 'pictures',
    file: 'p/index.csv',
    on: 'images',
  },
  {
    name: 'images sheet',
    line: 'images sheet --limit 4 -o {folder}/s.html',
    type: 'one',
    file: 's.html',
    on: 'objects',
    searches: true,
  },
  { name: 'relationships list', line: 'relationships list objects -f tsv', type: 'one' },
  {
    name: 'relationships get',
    line: 'relationships get objects 20022 object_prod_pri_person -f tsv',
    type: 'one',
  },
  { name: 'views list', line: 'views list objects -f tsv', type: 'one' },
  { name: 'views get', line: 'views get objects detail -f tsv', type: 'one' },
  { name: 'collections', line: 'collections list -f tsv', type: 'one' },
  { name: 'highlights', line: 'highlights get 1 -f json', type: 'one' },
  { name: 'comments', line: 'comments list -f tsv', type: 'one' },
  { name: 'imagelabels', line: 'imagelabels list -f tsv', type: 'one' },
  { name: 'colors', line: 'colors list -f tsv', type: 'one' },
  { name: 'authorities', line: 'authorities list persons occupation -f tsv', type: 'one' },
  { name: 'api', line: 'api /opacobjects/20022', type: 'one' },
  { name: 'check', line: 'check --only endpoint.*,paging.*', type: 'check', searches: true },
  {
    name: 'login, authorize',
    line: 'login --method headless -p faults',
    type: 'login',
    on: 'oauth.authorize',
  },
  { name: 'login, token', line: 'login --method headless -p faults', type: 'login', on: 'oauth.token' },
  { name: 'migrate', line: 'migrate /api/v2/opacobjects?opacObjectIds=1,2', type: 'offline' },
  { name: 'openapi', line: 'openapi', type: 'offline' },
];
