/** A mirror folder of `opac sync`, and what must be true of it after each run. */
import { readFile } from 'node:fs/promises';
import { check } from './context.js';
import { normalised } from './reference/difference.js';
import { readJson } from './reference/json.js';
import { readOutputs } from './reference/read-output.js';
import { checkSameRecords } from './reference/same-data.js';

export class Mirror {
  /** The state of each kind after the last run with exit 0, and the one that the change logs start from. */
  state;
  #first;

  constructor(context, service, { folder = 'mirror', kinds = Object.keys(service.collection.records) } = {}) {
    Object.assign(this, { context, service, folder, kinds });
  }

  /** Runs sync. After exit 0 the mirror is the state of the service; after another exit it is what it was. */
  async sync(words = [], options = {}) {
    const { service, context, folder } = this;
    const result = await context.run(['sync', folder, ...words], { service, ...options });
    if (result.code === 0) await this.#checkState();
    else if (result.code !== 'SIGKILL') await this.#checkUntouched();
    return result;
  }

  async #checkState() {
    const { collection } = this.service;
    this.state = Object.fromEntries(this.kinds.map((kind) => [kind, collection.snapshot(kind)]));
    this.#first ??= this.state;
    for (const kind of this.kinds)
      checkSameRecords(await this.#read(kind), this.state[kind], { what: `the mirror of ${kind}` });
    await this.#replay();
  }

  async #checkUntouched() {
    for (const kind of this.state ? this.kinds : [])
      checkSameRecords(await this.#read(kind), this.state[kind], {
        what: `after a failed run, the mirror of ${kind}`,
      });
  }

  async #read(kind) {
    const name = `${this.folder}/${kind}.ndjson.gz`;
    return readOutputs([this.context.path(name)], 'ndjson');
  }

  /** The change logs, one after the other, lead from the first state to the last one. */
  async #replay() {
    const records = Object.fromEntries(this.kinds.map((kind) => [kind, new Map(this.#first[kind])]));
    for (const name of await this.logs()) {
      const text = await readFile(this.context.path(`${this.folder}/changes/${name}`), 'utf8');
      for (const line of text.trimEnd().split('\n')) applyChange(records, readJson(line), name);
    }
    for (const kind of this.kinds) {
      const [found, expected] = [records[kind], this.state[kind]];
      const differing = [...new Set([...found.keys(), ...expected.keys()])].filter(
        (id) =>
          !found.has(id) ||
          !expected.has(id) ||
          normalised(found.get(id).tree) !== normalised(expected.get(id).tree),
      );
      check(
        differing.length === 0,
        () => `the change logs do not lead to the mirror of ${kind}: ${differing.slice(0, 8).join(' ')}`,
      );
    }
  }

  /** The names of the change logs, oldest first. */
  async logs() {
    return this.context.names(`${this.folder}/changes`);
  }
}

function applyChange(records, entry, name) {
  const [kind, id, change] = ['kind', 'id', 'change'].map((key) => entry.get(key));
  const known = records[kind.endsWith('s') ? kind : `${kind}s`];
  const before = known?.get(id);
  const wrong = (fact) => `${name} says that ${kind} ${id} was ${change}, but ${fact}`;
  if (change === 'removed') {
    check(known.delete(id), () => wrong('it was not there'));
    return;
  }
  const tree = entry.get('record');
  if (change === 'added') check(!before, () => wrong('it was there'));
  else {
    check(before !== undefined, () => wrong('it was not there'));
    check(normalised(before.tree) !== normalised(tree), () => wrong('it is the same'));
  }
  known.set(id, { id, tree });
}
