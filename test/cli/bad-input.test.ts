/** Unknown names, missing endpoints, empty lists, mistyped commands, and queries with special characters. */
import { afterEach, describe, expect, it } from 'vitest';
import { type Fault, type Museum, startMuseum } from '../../src/mock/index.js';
import { CATALOGUE, getEndpoint } from '../../src/service/endpoints/catalogue.js';
import { opac, type RunResult } from './run-in-process.js';

let museum: Museum | undefined;
afterEach(() => museum?.close());

async function runAtMuseum(line: string, faults: readonly Fault[] = []): Promise<RunResult> {
  museum = await startMuseum({ faults });
  return opac([...line.split(' '), ...(faults.length > 0 ? ['--retries', '0'] : [])], {
    environment: { OPAC_BASE_URL: museum.url },
  });
}

const WEB_PAGE = '<!DOCTYPE html><html><head><title>404</title></head><body>Not found</body></html>';

describe('an unknown name or id', () => {
  it.each([
    [
      'facets get objects clasification',
      'unknown facet of objects "clasification"; did you mean "classification"?',
    ],
    ['facets get persons xyzzy', 'choose from occupation, gender, birth_place, life_dates, color'],
    ['views get objects detale', 'unknown view of objects "detale"; did you mean "detail"?'],
    ['views get venues xyzzy', 'choose from label, detail, advancedsearch'],
    ['highlights get 999', 'unknown highlight "999"; choose from 1, 2, 3, 4'],
    ['relationships get objects 20022 xyzzy', 'choose from object_prod_pri_person, object_related_object'],
    ['relationships get objects 1 object_prod_pri_person', 'Object with ID : 1 does not exist'],
    ['authorities list persons birth_plaice', 'did you mean "birth_place"?'],
    ['imagelabels get 20022 999999', 'unknown image label of object 20022 "999999"'],
    ['imagelabels list --object 1', 'Object with ID : 1 does not exist'],
    ['objects get 1', 'Object with ID : 1 does not exist'],
  ])('is reported with exit code 3: %s', async (line, message) => {
    const { code, stdout, stderr } = await runAtMuseum(line);
    expect(stderr).toContain(message);
    expect(code).toBe(3);
    expect(stdout).toBe('');
  });

  it.each([
    ['objects list --columns id,title=id', 'two columns have the header "id"; rename one: <column>=<header>'],
    ['objects list --columns id,maker_nam', 'column "maker_nam" does not exist; did you mean "maker_name"?'],
    ['objects list -f jsno', 'did you mean "json"?'],
    ['facets get object classification', undefined],
    ['facets get objekts classification', 'did you mean "objects"?'],
    ['objects list --query maker_name:"x', 'a quote is not closed'],
  ])('is reported with exit code 2, except for the singular of a kind: %s', async (line, message) => {
    const { code, stderr } = await runAtMuseum(line);
    if (message !== undefined) expect(stderr).toContain(message);
    expect(code).toBe(message === undefined ? 0 : 2);
  });
});

it('suggests a shorter search if the request is too long for the service', async () => {
  const query = `title:${'x'.repeat(30_000)}`;
  for (const line of ['objects list', 'objects count', 'objects export']) {
    const { code, stdout, stderr } = await opac([...line.split(' '), '--mock', '--query', query]);
    expect([code, stdout, stderr]).toEqual([
      2,
      '',
      expect.stringMatching(/^opac: the request is too long \(431\) .*; search for fewer words or ids\n$/),
    ]);
  }
});

describe('an endpoint that the document does not describe', () => {
  const commands: Readonly<Record<string, string>> = {
    'persons.facet': 'facets get persons occupation',
    'objects.view': 'views get objects detail',
    'objects.advancedsearch': 'views get objects advancedsearch',
    'persons.view': 'views get persons detail',
  };
  const likely = CATALOGUE.filter(({ origin }) => origin === 'likely').map(
    ({ id, path }) => [id, path] as const,
  );

  it.each(likely)('is reported with its path if the deployment does not have it: %s', async (id, path) => {
    const bodies = [undefined, '{"message":"No such path"}', WEB_PAGE];
    for (const body of bodies) {
      const fault: Fault = { kind: 'status', status: 404, on: id, ...(body !== undefined && { body }) };
      const { code, stderr } = await runAtMuseum(commands[id] ?? '', [fault]);
      expect(stderr).toContain(`not found: the deployment has no ${path}`);
      expect(code).toBe(3);
      await museum?.close();
    }
  });

  it('is reported with its path also if the list of views is missing', async () => {
    const faults: Fault[] = [
      { kind: 'status', status: 404, on: 'objects.views', body: WEB_PAGE },
      { kind: 'status', status: 404, on: 'objects.view', body: WEB_PAGE },
    ];
    const { code, stderr } = await runAtMuseum('views get objects detail', faults);
    expect(stderr).toContain('not found: the deployment has no /opacobjects/views/{viewName}');
    expect(code).toBe(3);
  });
});

describe('an empty list', () => {
  it.each([
    ['objects list no_such_word_anywhere', 'no records match', 'id'],
    ['objects list no_such_word_anywhere -f json', 'no records match', '[]'],
    ['objects count no_such_word_anywhere', '', '0'],
    ['imagelabels list --object 20011', 'object 20011 has no image labels', 'imageLabelId'],
  ])('is printed with the expected note and exit code 0: %s', async (line, message, first) => {
    const { code, stdout, stderr } = await runAtMuseum(line);
    expect(stderr.trim()).toBe(message);
    expect(stdout.split(/[\t\n]/)[0]).toBe(first);
    expect(code).toBe(0);
  });

  it.each(['collections.list', 'highlights.list', 'comments.list'] as const)(
    'is printed with its header and a note: %s',
    async (id) => {
      const [noun = ''] = id.split('.');
      const { response } = getEndpoint(id);
      if (response.shape !== 'list') throw new TypeError(`${id} is no list`);
      const body = JSON.stringify({ [response.total]: 0 });
      const fault: Fault = { kind: 'status', status: 200, on: id, body };
      const { code, stdout, stderr } = await runAtMuseum(`${noun} list`, [fault]);
      expect(stderr).toMatch(/^no \w+\n$/);
      expect(stdout).toMatch(/^(opacCollection|highlight|comment)Id\t.*\n$/);
      expect(code).toBe(0);
    },
  );
});

it.each(['collection', 'highlight', 'query', 'sort', 'columns'])('refuses a second --%s', async (name) => {
  const words = ['objects', 'list', '--mock', `--${name}`, '1', `--${name}`, '3'];
  const { code, stderr } = await opac(words);
  expect([code, stderr]).toEqual([2, expect.stringContaining(`--${name} was given twice`)]);
});

describe('a mistyped command', () => {
  it.each([
    ['objets', 'unknown command "objets"; did you mean "opac objects"?'],
    ['facet list objects', 'did you mean "opac facets"?'],
    ['object export --limit 1', 'unknown command "object"; did you mean "opac objects"?'],
    ['export objects', 'unknown command "export"; did you mean "opac objects export"?'],
    ['list', 'unknown command "list"; did you mean "opac objects list"?'],
    ['get persons 5', 'unknown command "get"; did you mean "opac persons get"?'],
    ['serach turner', 'unknown command "serach"; did you mean "opac objects list"?'],
    ['colors serach', 'unknown command "colors serach"; did you mean "opac colors list"?'],
    ['--colums id objects list', 'unknown option "--colums"; did you mean --columns?'],
    ['help colums', 'did you mean "opac help columns"?'],
    ['colors lst', 'did you mean "opac colors list"?'],
    ['objects cuont', 'did you mean "opac objects count"?'],
    ['objects fern', 'unknown command "objects fern"; see: opac objects --help'],
    ['colors list blue', 'too many arguments for "list"'],
    ['sync mirror --wait', 'unknown option "--wait"; did you mean --wait-lock?'],
    ['objects list --excel', 'unknown option "--excel"; it is an option of opac objects export'],
    ['objects export --by accession_no', 'unknown option "--by"; it is an option of opac objects get'],
    ['objects list --count', 'unknown option "--count"; '],
    ['relationships list objects 20022', 'too many arguments for "list"'],
    ['objects get', 'missing required argument "id"; see: opac objects get --help'],
    ['objects list --limt 3', 'did you mean --limit?'],
    ['objects list --limit many', 'invalid value "many" for --limit; must be an integer of at least 1'],
  ])('is reported with exit code 2: %s', async (line, message) => {
    const { code, stdout, stderr } = await runAtMuseum(line);
    expect(stderr).toContain(message);
    expect(code).toBe(2);
    expect(stdout).toBe('');
  });
});

describe('a query with special characters', () => {
  const VALUE = 'Ann "the Potter": vases, cups \\ and = more';

  it('is sent with all its characters by --where', async () => {
    museum = await startMuseum();
    const environment = { OPAC_BASE_URL: museum.url };
    await opac(['objects', 'list', '--where', `maker_name=${VALUE}`], { environment });
    const sentQuery = museum.requests.find(({ query }) => query.has('query'))?.query.get('query');
    expect(sentQuery).toBe('maker_name:"Ann \\"the Potter\\": vases, cups \\\\ and = more"');
  });

  it('finds the record with the same characters by --where', async () => {
    museum = await startMuseum();
    const environment = { OPAC_BASE_URL: museum.url };
    const found = await opac(
      ['objects', 'list', '--where', 'name=The "Moa" jar: C:\\Museum\\jar (a copy)', '-f', 'ids'],
      {
        environment,
      },
    );
    expect(found).toMatchObject({ code: 0, stdout: '20055\n' });
  });

  it('is read from standard input, without line breaks at its start and end', async () => {
    museum = await startMuseum();
    const environment = { OPAC_BASE_URL: museum.url };
    const query = 'maker_name:"Rita Angus" AND collections:"4"';
    await opac(['objects', 'count', '--query', '@-'], { environment, stdin: `\n${query}\r\n` });
    expect(museum.requests.at(-1)?.query.get('query')).toBe(query);
  });

  it('is read from standard input, without a byte order mark', async () => {
    museum = await startMuseum();
    const environment = { OPAC_BASE_URL: museum.url };
    const query = 'maker_name:"Rita Angus"';
    await opac(['objects', 'count', '--query', '@-'], { environment, stdin: `\ufeff${query}\n` });
    expect(museum.requests.at(-1)?.query.get('query')).toBe(query);
  });
});
