/** A mirror folder of `opac sync`, and the checks of this folder after each run. */
import { readFile } from 'node:fs/promises';
import { check } from './context.js';
import { normalise } from './reference/difference.js';
import { readJson } from './reference/json.js';
import { readOutputs } from './reference/read-output.js';
import { checkSameRecords } from './reference/same-data.js';

export class Mirror {
  /** The records of each kind after the last successful run, and after the first one, from which the change logs start. */
  state;
  #first;

  constructor(context, service, { folder = 'mirror', kinds = Object.keys(service.collection.records) } = {}) {
    Object.assign(this, { context, service, folder, kinds });
  }

  /** Runs sync. After exit code 0, the mirror must equal the service. After other exit codes, it must be unchanged. */
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

  /** Checks that all change logs, applied to the first state in order, result in the last state. */
  async #replay() {
    const records = Object.fromEntries(this.kinds.map((kind) => [kind, new Map(this.#first[kind])]));
    for (const name of await this.listLogs()) {
      const text = await readFile(this.context.path(`${this.folder}/changes/${name}`), 'utf8');
      for (const line of text.trimEnd().split('\n')) applyChange(records, readJson(line), name);
    }
    for (const kind of this.kinds) {
      const [found, expected] = [records[kind], this.state[kind]];
      const differing = [...new Set([...found.keys(), ...expected.keys()])].filter(
        (id) =>
          !found.has(id) ||
          !expected.has(id) ||
          normalise(found.get(id).tree) !== normalise(expected.get(id).tree),
      );
      check(
        differing.length === 0,
        () => `the change logs do not result in the mirror of ${kind}: ${differing.slice(0, 8).join(' ')}`,
      );
    }
  }

  /** Returns the names of the change logs, the oldest first. */
  async listLogs() {
    return this.context.names(`${this.folder}/changes`);
  }
}

function applyChange(records, entry, name) {
  const [kind, id, change] = ['kind', 'id', 'change'].map((key) => entry.get(key));
  const known = records[kind.endsWith('s') ? kind : `${kind}s`];
  const before = known?.get(id);
  const describeError = (fact) => `${name} says that ${kind} ${id} was ${change}, but ${fact}`;
  if (change === 'removed') {
    check(known.delete(id), () => describeError('it did not exist'));
    return;
  }
  const tree = entry.get('record');
  if (change === 'added') check(!before, () => describeError('it already existed'));
  else {
    check(before !== undefined, () => describeError('it did not exist'));
    check(normalise(before.tree) !== normalise(tree), () => describeError('it did not change'));
  }
  known.set(id, { id, tree });
}
