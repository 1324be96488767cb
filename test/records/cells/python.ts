/** An independent reader of CSV and TSV: Python's csv module. */
import { spawnSync } from 'node:child_process';

const PYTHON = `
import csv, io, json, sys
csv.field_size_limit(sys.maxsize)
print(json.dumps([list(csv.reader(io.StringIO(text, newline=""), delimiter=sys.argv[1], strict=True)) for text in json.load(sys.stdin)]))
`;

/** Returns the rows of each text. Throws an error if Python is missing, so that the test fails. */
export function readByPython(texts: readonly string[], delimiter = ','): string[][][] {
  const { stdout, stderr, status, error } = spawnSync('python3', ['-c', PYTHON, delimiter], {
    input: JSON.stringify(texts),
    encoding: 'utf8',
    maxBuffer: 1 << 28,
  });
  if (error) throw new Error('this test needs python3', { cause: error });
  if (status !== 0) throw new Error(stderr);
  return JSON.parse(stdout) as string[][][];
}
