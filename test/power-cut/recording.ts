/** Records the order in which this process writes, syncs and names files. The effects of a power cut depend only on it. */
import fs from 'node:fs';
import promises from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Files and folders have numbers, because their names may change. 0 is the recorded folder. */
export type Step =
  /** Names that were added, removed or given to another file, in one atomic step. `is`: the file; undefined if removed. */
  | {
      readonly kind: 'names';
      readonly names: readonly (readonly [folder: number, name: string, is: number | undefined])[];
    }
  | { readonly kind: 'write'; readonly file: number; readonly at: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: number; readonly size: number }
  /** Makes the changes to `of` before step `begun` durable. */
  | { readonly kind: 'sync'; readonly of: number; readonly begun: number };

export interface Recording {
  readonly steps: readonly Step[];
  /** The numbers of the folders; all others are files. */
  readonly folders: ReadonlySet<number>;
}

interface Node {
  readonly number: number;
  /** Undefined for a file. */
  readonly names: Map<string, Node> | undefined;
  content: Buffer;
}

type Call = (...words: unknown[]) => unknown;

/**
 * Runs a task and records its changes below `root`. The first steps write and sync the files that already exist. Meanwhile, sync
 * calls have no effect on the disk, because real syncs take longer than the rest of the task.
 */
export async function recordChanges(root: string, task: () => Promise<unknown>): Promise<Recording> {
  const recorder = new Recorder(root);
  const restore = await recorder.listen();
  try {
    await task();
  } finally {
    restore();
  }
  return recorder;
}

class Recorder implements Recording {
  readonly steps: Step[] = [];
  readonly folders = new Set<number>();
  readonly #root: string;
  readonly #top: Node;
  readonly #openFiles = new Map<unknown, Node>();
  #nodes = 0;
  /** True while the recorder itself reads a file. */
  #isReading = false;

  constructor(root: string) {
    this.#root = root;
    this.#top = this.#createNode(true);
    this.#recordExisting(root);
    for (let number = 0; number < this.#nodes; number++)
      this.steps.push({ kind: 'sync', of: number, begun: this.steps.length });
  }

  /** Wraps the functions that open, write, sync and name files. Returns a function that restores them. */
  async listen(): Promise<() => void> {
    const handle = await promises.open(this.#root, 'r');
    const { prototype } = handle.constructor as unknown as { readonly prototype: Record<string, Call> };
    await handle.close();
    const [later, now] = [promises, fs] as unknown as Record<string, Call>[] as [
      Record<string, Call>,
      Record<string, Call>,
    ];
    const undo: (() => void)[] = [];
    const wrap = (
      object: Record<string, Call>,
      name: string,
      around: (call: () => unknown, words: unknown[], on: unknown) => unknown,
    ) => {
      const real = object[name] as Call;
      object[name] = function (this: unknown, ...words: unknown[]) {
        return around(() => real.apply(this, words), words, this);
      };
      undo.push(() => {
        object[name] = real;
      });
    };
    const named: Readonly<Record<string, (words: string[], result: unknown) => void>> = {
      open: ([path = ''], result) => this.#recordOpening(path, result),
      writeFile: ([path = '']) => this.#recordContent(this.#recordCreation(path)),
      appendFile: ([path = '']) => this.#recordContent(this.#recordCreation(path)),
      copyFile: ([, path = '']) => this.#recordContent(this.#recordCreation(path)),
      mkdir: ([path = '']) => void this.#recordCreation(path, true),
      rename: ([from = '', to = '']) => this.#recordName(to, this.#find(from), from),
      link: ([from = '', to = '']) => this.#recordName(to, this.#find(from)),
      unlink: ([path = '']) => this.#recordRemoval(path),
      rmdir: ([path = '']) => this.#recordRemoval(path),
      rm: ([path = '']) => this.#recordRemoval(path),
    };
    // Node itself also calls these functions with URLs, for example to load a module.
    const toPaths = (words: unknown[]) =>
      words.map((word) => (word instanceof URL ? fileURLToPath(word) : word)) as string[];
    for (const [name, note] of Object.entries(named)) {
      wrap(later, name, async (call, words) => {
        const result = await call();
        note(toPaths(words), result);
        return result;
      });
      wrap(now, `${name}Sync`, (call, words) => {
        const result = call();
        if (!this.#isReading) note(toPaths(words), result);
        return result;
      });
    }
    for (const name of ['write', 'writev', 'writeFile', 'appendFile', 'truncate'])
      wrap(prototype, name, async (call, _, on) => {
        const result = await call();
        this.#recordContent(this.#openFiles.get(on));
        return result;
      });
    for (const name of ['sync', 'datasync'])
      wrap(prototype, name, async (_call, _words, on) => {
        const begun = this.steps.length;
        await undefined;
        this.#recordSync(this.#openFiles.get(on), begun);
      });
    for (const name of ['writeSync', 'ftruncateSync'])
      wrap(now, name, (call, [descriptor]) => {
        const result = call();
        this.#recordContent(this.#openFiles.get(descriptor));
        return result;
      });
    for (const name of ['fsyncSync', 'fdatasyncSync'])
      wrap(now, name, (_, [descriptor]) =>
        this.#recordSync(this.#openFiles.get(descriptor), this.steps.length),
      );
    syncBuiltinESMExports();
    return () => {
      for (const each of undo) each();
      syncBuiltinESMExports();
    };
  }

  #createNode(isFolder: boolean): Node {
    const number = this.#nodes++;
    if (isFolder) this.folders.add(number);
    return { number, names: isFolder ? new Map() : undefined, content: Buffer.alloc(0) };
  }

  /** Records the existing files and folders. */
  #recordExisting(path: string): void {
    for (const entry of fs.readdirSync(path, { withFileTypes: true })) {
      const inside = join(path, entry.name);
      const made = this.#recordCreation(inside, entry.isDirectory());
      if (made?.names) this.#recordExisting(inside);
      else this.#recordContent(made);
    }
  }

  #find(path: string): Node | undefined {
    const inside = relative(this.#root, path);
    if (inside === '') return this.#top;
    if (inside === '..' || inside.startsWith(`..${sep}`)) return undefined;
    let node: Node | undefined = this.#top;
    for (const name of inside.split(sep)) node = node?.names?.get(name);
    return node;
  }

  #findPlace(path: string): readonly [Node, string] | undefined {
    const folder = this.#find(dirname(path));
    return folder?.names ? [folder, relative(dirname(path), path)] : undefined;
  }

  #recordNames(...names: readonly (readonly [folder: Node, name: string, is: Node | undefined])[]): void {
    for (const [folder, name, is] of names) {
      if (is) folder.names?.set(name, is);
      else folder.names?.delete(name);
    }
    this.steps.push({
      kind: 'names',
      names: names.map(([folder, name, is]) => [folder.number, name, is?.number]),
    });
  }

  /** Returns the file or folder at a path. If it is unknown, it was just created, so its name is recorded. */
  #recordCreation(path: string, isFolder = false): Node | undefined {
    const there = this.#find(path);
    if (there || relative(this.#root, path).startsWith('..')) return there;
    if (isFolder) this.#recordCreation(dirname(path), true);
    const place = this.#findPlace(path);
    if (!place) return undefined;
    const node = this.#createNode(isFolder);
    this.#recordNames([...place, node]);
    return node;
  }

  #recordOpening(path: string, opened: unknown): void {
    const node = this.#recordCreation(path);
    if (!node) return;
    this.#openFiles.set(opened, node);
    if (!node.names) this.#recordContent(node);
  }

  #recordName(to: string, node: Node | undefined, from?: string): void {
    const [now, before] = [this.#findPlace(to), from === undefined ? undefined : this.#findPlace(from)];
    if (!node || !now) return;
    if (before) this.#recordNames([...before, undefined], [...now, node]);
    else this.#recordNames([...now, node]);
  }

  #recordRemoval(path: string): void {
    const place = this.#findPlace(path);
    const node = this.#find(path);
    if (!place || !node) return;
    for (const name of [...(node.names?.keys() ?? [])]) this.#recordRemoval(join(path, name));
    this.#recordNames([...place, undefined]);
  }

  /** Records how the bytes of a file changed. Ignores files without a name, which cannot be read after a power cut. */
  #recordContent(node: Node | undefined): void {
    const path = node && !node.names && this.#findPath(node, this.#top, this.#root);
    if (!path) return;
    this.#isReading = true;
    const [before, after] = [node.content, fs.readFileSync(path)];
    this.#isReading = false;
    if (before.equals(after)) return;
    let same = 0;
    while (same < before.length && before[same] === after[same]) same++;
    if (before.length > after.length)
      this.steps.push({ kind: 'truncate', file: node.number, size: after.length });
    if (after.length > same)
      this.steps.push({ kind: 'write', file: node.number, at: same, bytes: after.subarray(same) });
    node.content = after;
  }

  #findPath(node: Node, folder: Node, path: string): string | undefined {
    for (const [name, each] of folder.names ?? []) {
      const found =
        each === node ? join(path, name) : each.names && this.#findPath(node, each, join(path, name));
      if (found) return found;
    }
    return undefined;
  }

  #recordSync(node: Node | undefined, begun: number): void {
    if (node) this.steps.push({ kind: 'sync', of: node.number, begun });
  }
}
