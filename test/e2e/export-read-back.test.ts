/** Other programs read what an export of the built-in museum wrote: every record once, and the same in each format. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { setUpExport } from './export-setup.js';
import { museumRecords } from './museum-records.js';
import { have } from './programs.js';

/** Reads the three files with the means of Python alone, and prints the ids of each and where CSV and JSON differ. */
const PYTHON = `
import csv, json, re, sys
csv.field_size_limit(sys.maxsize)
with open("objects.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
with open("objects.json", encoding="utf-8") as file:
    records = json.load(file)
with open("objects.ndjson", encoding="utf-8", newline="\\n") as file:
    lines = [json.loads(line) for line in file]

def joined(values):
    # A backslash before a separator within a value; those right before a separator are doubled.
    spelled = [re.sub(r"(\\\\*)\\|", r"\\1\\1\\\\|", value) for value in values]
    return "|".join([re.sub(r"(\\\\+)$", r"\\1\\1", value) for value in spelled[:-1]] + spelled[-1:])

differences = []
compared = 0
for row, record in zip(rows, records):
    sets = {each["identifier"]: each.get("opacObjectFields") or [] for each in record.get("opacObjectFieldSets", [])}
    for name, cell in row.items():
        if name not in sets:
            continue
        values = [each.get("value") or "" for each in sets[name]]
        # An empty one keeps its place among others: lists in parallel stay in step.
        told = joined(values) if any(values) else ""
        compared += 1
        if cell != told:
            differences.append([row["id"], name, cell, told])

print(json.dumps({
    "csv": [row["id"] for row in rows],
    "json": [record["opacObjectId"] for record in records],
    "ndjson": [record["opacObjectId"] for record in lines],
    "same": lines == records,
    "compared": compared,
    "differences": differences,
}))
`;

if (have(['python3'], 'reading exports back with Python')) {
  it('Python finds every object once, and the same values in CSV, JSON and NDJSON', async () => {
    const held = await museumRecords();
    const ids = held.filter(({ kind }) => kind === 'objects').map(({ id }) => id);
    const setup = await setUpExport();
    for (const format of ['csv', 'json', 'ndjson']) {
      expect(await setup.run(`objects export -o objects.${format}`)).toMatchObject({ code: 0 });
    }
    const { stdout, stderr } = spawnSync('python3', ['-c', PYTHON], { cwd: setup.folder, encoding: 'utf8' });
    expect(stderr).toBe('');
    const { compared, ...read } = JSON.parse(stdout);
    expect(read).toEqual({ csv: ids, json: ids, ndjson: ids, same: true, differences: [] });
    expect(compared).toBeGreaterThan(ids.length * 5);
  });
}
