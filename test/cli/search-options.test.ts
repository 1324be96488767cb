/** The search options: the parameters that they send, and the records that they find. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

import { filterIds, type MuseumRecord, readMuseumRecords } from '../e2e/museum-records.js';
import { createFolder, splitCommandLine } from '../e2e/opac.js';
import { collectOutcomes, splitLines } from '../e2e/run-against-museum.js';
import { opac, runAgainstMuseum } from './run-in-folder.js';
import { SEARCHES } from './searches.js';

let records: readonly MuseumRecord[];
beforeAll(async () => {
  records = await readMuseumRecords();
});
const findObjectIds = (passes: (one: MuseumRecord) => boolean) =>
  filterIds(records, (one) => one.kind === 'objects' && passes(one));

const REPEATED = '--external-id 20022,20011,20022';

describe('objects list with a search option', () => {
  it('sends the parameters of the service, and finds the expected objects', async () => {
    const outcome = await collectOutcomes(SEARCHES, async ([option, parameters]) => {
      const { code, stdout, stderr, requests } = await runAgainstMuseum(
        `objects list -f ids --all ${option}`,
      );
      // A search by field or collection first requests the list of fields or collections.
      const search = requests.find(({ path }) => !/\/(views|opaccollections)(\?|$)/.test(path));
      const sent = Object.fromEntries(Object.keys(parameters).map((name) => [name, search?.query.get(name)]));
      return { code, sent, found: splitLines(stdout), stderr };
    });
    expect(outcome).toEqual(
      Object.fromEntries(
        SEARCHES.map(([option, sent, finds, ids]) => [
          option,
          {
            code: 0,
            sent,
            found: ids ?? findObjectIds(finds),
            stderr:
              option === REPEATED ? expect.stringContaining('ignored 1 repeated value of the 3 in') : '',
          },
        ]),
      ),
    );
  });

  it('finds the records of a highlight', async () => {
    const [listed, counted] = await Promise.all([
      runAgainstMuseum('objects list --highlight 1 -f ids --all'),
      runAgainstMuseum('objects count --highlight 1'),
    ]);
    expect(listed.requests.at(-1)?.query.get('query')).toBe('highlight:"1"');
    expect(counted.stdout).toBe(`${splitLines(listed.stdout).length}\n`);
    expect(listed.stdout).not.toBe('');
  });
});

describe('--sort', () => {
  it('accepts a field of persons together with --has-images', async () => {
    const withImages = filterIds(records, ({ kind, images }) => kind === 'persons' && images > 0).sort();
    const { code, stdout, requests } = await runAgainstMuseum(
      'persons list --sort birth_place --has-images -f ids --all',
    );
    expect({ code, found: splitLines(stdout).sort() }).toEqual({ code: 0, found: withImages });
    expect(requests.at(-1)?.query.get('sort')).toBe('birth_place');
  });

  it('sorts in ascending order, or in descending order with :desc', async () => {
    const [up, down] = await Promise.all([
      runAgainstMuseum('venues list --sort opened --columns opened'),
      runAgainstMuseum('venues list --sort opened:desc --columns opened'),
    ]);
    const years = filterIds(records, ({ kind }) => kind === 'venues').length;
    const [header, ...ascending] = splitLines(up.stdout);
    expect(header).toBe('opened');
    expect(ascending).toHaveLength(years);
    expect(ascending).toEqual([...ascending].sort());
    expect(splitLines(down.stdout).slice(1)).toEqual([...ascending].reverse());
  });
});

describe('--query', () => {
  it('reads a query from a file or standard input', async () => {
    const folder = await createFolder();
    const query = 'collections:"3"';
    await writeFile(join(folder, 'query.txt'), `${query}\n`);
    const [fromFile, fromInput] = await Promise.all([
      runAgainstMuseum('objects count --query @query.txt', { folder }),
      runAgainstMuseum('objects count --query @-', { stdin: `${query}\n` }),
    ]);
    for (const { code, stdout, requests } of [fromFile, fromInput]) {
      expect(requests[0]?.query.get('query')).toBe(query);
      expect({ code, stdout }).toEqual({
        code: 0,
        stdout: `${findObjectIds(({ collection }) => collection === '3').length}\n`,
      });
    }
  });
});

describe('--external-id', () => {
  it('splits many ids from a file or standard input over requests, and finds each record once', async () => {
    const ids = findObjectIds(() => true);
    const wanted = [...ids, ...Array.from({ length: 500 }, (_, index) => `no-such-${index}`), ...ids];
    const folder = await createFolder();
    await writeFile(join(folder, 'ids.txt'), `\uFEFF${wanted.join('\r\n')}\r\n`);
    const [fromFile, fromInput, counted] = await Promise.all([
      runAgainstMuseum('objects list -f ids --all --external-id @ids.txt', { folder }),
      runAgainstMuseum('objects list -f ids --all --external-id -', { stdin: wanted.join('\n') }),
      runAgainstMuseum('objects count --external-id @ids.txt', { folder }),
    ]);
    expect(splitLines(fromFile.stdout)).toEqual(ids);
    expect(fromInput.stdout).toBe(fromFile.stdout);
    expect(counted.stdout).toBe(`${ids.length}\n`);
    expect(fromFile.requests.length).toBeGreaterThan(1);
    expect(fromFile.requests.every(({ status }) => status === 200)).toBe(true);
  });
});

describe('opac', () => {
  it('lists, gets and counts records of each kind', async () => {
    const rows = [
      ['objects', '20011'],
      ['persons', '5003'],
      ['venues', '301'],
    ] as const;
    const outcome = await collectOutcomes(rows, async ([kind, id]) => {
      const [list, get, count] = await Promise.all([
        opac(splitCommandLine(`${kind} list --mock --all -f ids`)),
        opac(splitCommandLine(`${kind} get ${id} --mock --columns id`)),
        opac(splitCommandLine(`${kind} count --mock`)),
      ]);
      return [splitLines(list.stdout), get.stdout, count.stdout];
    });
    const expected = rows.map(([kind, id]) => {
      const ids = filterIds(records, (one) => one.kind === kind);
      return [kind, [ids, `id\n${id}\n`, `${ids.length}\n`]];
    });
    expect(outcome).toEqual(Object.fromEntries(expected));
  });

  it('lists and counts all kinds together as records', async () => {
    const [list, count] = await Promise.all([
      opac(splitCommandLine('records list --mock --all --columns recordType,id')),
      opac(splitCommandLine('records count --mock')),
    ]);
    expect(splitLines(list.stdout).slice(1).sort()).toEqual(
      records.map(({ kind, id }) => `${kind.replace(/s$/, '')}\t${id}`).sort(),
    );
    expect(count.stdout).toBe(`${records.length}\n`);
  });

  it('gets records once in the requested order, and prints the ids that were not found', async () => {
    const { code, stdout, stderr } = await runAgainstMuseum('objects get 20022 20011 20022 999 --columns id');
    expect({ code, stdout }).toEqual({ code: 3, stdout: 'id\n20022\n20011\n' });
    expect(stderr).toContain('1 of 3 objects were not found: 999');
  });
});
