/** The families of commands, one line each, and what a failure means to them. */
import type { Fault } from '../../src/mock/index.js';

export interface Family {
  readonly name: string;
  /** `{file}` is a file in the folder of the cell, `{folder}` that folder. */
  readonly line: string;
  /**
   * `search`: pages of records. `one`: single answers. `export`: a file, which is kept when it is incomplete. `mirror`: a folder that stays as it was. `pictures`: a
   * folder of images. `check`: asks everything, and reports. `login`: OAuth. `offline`: sends nothing.
   */
  readonly asks: 'search' | 'one' | 'export' | 'mirror' | 'pictures' | 'check' | 'login' | 'offline';
  /** The file that holds the result; default: standard output. */
  readonly file?: string;
  /** Which requests meet the fault, where not all of the command do. */
  readonly on?: Fault['on'];
  /** Its requests are searches, whose 404 says that there is no such interface (DESIGN "Decided on the way"). */
  readonly searches?: true;
  /** Holds one line a record, with its id first. */
  readonly lists?: true;
}

const exported = (file: string): Family => ({
  name: `export ${file.slice(2)}`,
  line: `objects export --page-size 40${/json$|ids$/.test(file) ? '' : ' --columns id,title'} -o {folder}/${file}`,
  asks: 'export',
  file,
  searches: true,
  ...(!/json$|gz$|xlsx$|ids$/.test(file) && { lists: true }),
});

export const FAMILIES: readonly Family[] = [
  {
    name: 'list',
    line: 'objects list --all --page-size 40 --columns id,title -f tsv',
    asks: 'search',
    searches: true,
    lists: true,
  },
  { name: 'list json', line: 'persons list --all -f json', asks: 'search', searches: true },
  { name: 'list records', line: 'records list --limit 30 -f ndjson', asks: 'search', searches: true },
  { name: 'get', line: 'objects get 20011 20022 -f json', asks: 'one' },
  { name: 'count', line: 'objects count', asks: 'one', searches: true },
  {
    name: 'sync',
    line: 'sync {folder}/m --kinds objects --ending ndjson',
    asks: 'mirror',
    file: 'm/objects.ndjson',
    searches: true,
  },
  { name: 'fields', line: 'objects fields -f tsv', asks: 'one', searches: true },
  { name: 'facets list', line: 'facets list objects -f tsv', asks: 'one', searches: true },
  {
    name: 'facets get',
    line: 'facets get objects classification -f tsv',
    asks: 'one',
    // A name that is not a facet may be a column, whose values are counted in all records.
    searches: true,
  },
  exported('o.csv'),
  exported('o.tsv'),
  exported('o.ids'),
  exported('o.json'),
  exported('o.ndjson'),
  exported('o.csv.gz'),
  exported('o.xlsx'),
  { name: 'images list', line: 'images list --all -f tsv', asks: 'search', searches: true },
  {
    name: 'images download, search',
    line: 'images download {folder}/p --limit 4',
    asks: 'export',
    file: 'p/index.csv',
    on: 'objects',
    searches: true,
  },
  {
    name: 'images download',
    line: 'images download {folder}/p --limit 4',
    asks: 'pictures',
    file: 'p/index.csv',
    on: 'images',
  },
  {
    name: 'images sheet',
    line: 'images sheet --limit 4 -o {folder}/s.html',
    asks: 'one',
    file: 's.html',
    on: 'objects',
    searches: true,
  },
  { name: 'relationships list', line: 'relationships list objects -f tsv', asks: 'one' },
  {
    name: 'relationships get',
    line: 'relationships get objects 20022 object_prod_pri_person -f tsv',
    asks: 'one',
  },
  { name: 'views list', line: 'views list objects -f tsv', asks: 'one' },
  { name: 'views get', line: 'views get objects detail -f tsv', asks: 'one' },
  { name: 'collections', line: 'collections list -f tsv', asks: 'one' },
  { name: 'highlights', line: 'highlights get 1 -f json', asks: 'one' },
  { name: 'comments', line: 'comments list -f tsv', asks: 'one' },
  { name: 'imagelabels', line: 'imagelabels list -f tsv', asks: 'one' },
  { name: 'colors', line: 'colors list -f tsv', asks: 'one' },
  { name: 'authorities', line: 'authorities list persons occupation -f tsv', asks: 'one' },
  { name: 'api', line: 'api /opacobjects/20022', asks: 'one' },
  { name: 'check', line: 'check --only endpoint.*,paging.*', asks: 'check', searches: true },
  {
    name: 'login, authorize',
    line: 'login --method headless -p faults',
    asks: 'login',
    on: 'oauth.authorize',
  },
  { name: 'login, token', line: 'login --method headless -p faults', asks: 'login', on: 'oauth.token' },
  { name: 'migrate', line: 'migrate /api/v2/opacobjects?opacObjectIds=1,2', asks: 'offline' },
  { name: 'openapi', line: 'openapi', asks: 'offline' },
];
