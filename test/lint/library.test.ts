/** The exports of the library: each has a doc comment, and the types refuse unknown endpoints. */
import ts from 'typescript';
import { afterAll, beforeAll, describe, expect, expectTypeOf, it } from 'vitest';
import { type Client, createClient, fetchTotal, readRecord } from '../../src/index.js';
import { type Museum, startMuseum } from '../../src/mock/index.js';
import type { Json } from '../../src/service/json.js';

describe('every exported name', () => {
  const entries = ['src/index.ts', 'src/mock/index.ts'];
  const program = ts.createProgram(entries, {
    module: ts.ModuleKind.NodeNext,
    target: ts.ScriptTarget.ESNext,
    noLib: true,
    types: [],
  });
  const checker = program.getTypeChecker();

  it.each(entries)('has a doc comment in %s', (entry) => {
    const source = program.getSourceFile(entry);
    const symbol = source && checker.getSymbolAtLocation(source);
    const names = symbol ? checker.getExportsOfModule(symbol) : [];
    const undocumented = names.filter((name) => {
      const declared = name.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(name) : name;
      return declared.getDocumentationComment(checker).length === 0;
    });
    expect(names.length).toBeGreaterThan(5);
    expect(undocumented.map(({ name }) => name)).toEqual([]);
  });
});

describe('endpoints', () => {
  let museum: Museum;
  let client: Client;

  beforeAll(async () => {
    museum = await startMuseum();
    client = createClient({ baseUrl: museum.url, allowHttp: true });
  });

  afterAll(async () => {
    await client.close();
    await museum.close();
  });

  it('are refused by the client and by the types if the service does not have them', async () => {
    // @ts-expect-error misspelt
    await expect(fetchTotal(client, 'objects.serch')).rejects.toThrow('no endpoint "objects.serch"');
    // @ts-expect-error records of all kinds have no views
    await expect(client.get('records.views')).rejects.toThrow('no endpoint "records.views"');
    // @ts-expect-error one record is no list
    await expect(fetchTotal(client, 'objects.get', { path: { opacObjectId: '1' } })).rejects.toThrow('list');
  });

  it('return lists under their own keys', async () => {
    const query = [['limit', '2']] as const;
    const { opacPersons, totalPersons } = await client.get('persons.search', { query });
    expectTypeOf(opacPersons).toEqualTypeOf<readonly Json[] | undefined>();
    expect(opacPersons).toHaveLength(2);
    expect(totalPersons).toBeGreaterThan(2);
    const { value } = await client.fetch('colors.list');
    expect(value.cssColors?.length).toBe(value.totalCssColors);
  });

  it('return records whose fields can be converted to JSON', async () => {
    const { opacObjects = [] } = await client.get('objects.search', { query: [['view', 'detail']] });
    const { fields } = readRecord(opacObjects[0], 'objects');
    expect(JSON.parse(JSON.stringify(fields))).toMatchObject({ [[...fields.keys()][0] ?? '']: [{}] });
  });
});
