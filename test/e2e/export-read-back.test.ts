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
    # A single value stands as it is. Among several, a backslash precedes a separator; those right before one are doubled.
    if len(values) == 1:
        return values[0]
    spelled = [re.sub(r"(\\\\*)\\|", r"\\1\\1\\\\|", value) for value in values]
    return "|".join([re.sub(r"(\\\\+)$", r"\\1\\1", value) for value in spelled[:-1]] + spelled[-1:])

def lists(record):
    """The lists of a record by the names of their columns."""
    found = {}
    for each in record.get("opacObjectFieldSets", []):
        values = [one.get("value") or "" for one in each.get("opacObjectFields") or []]
        found[each["identifier"]] = values if any(values) else []
    images = (record.get("imagesCollection") or {}).get("images") or []
    found["image.url"] = [image for image in images if image.get("imageDerivatives")]
    found["label"] = {label["imageLabel"] for image in images for label in image.get("imageLabels") or []}
    for each in (record.get("relationshipsCollection") or {}).get("relationships") or []:
        found["relationship." + each["relationshipId"]] = each.get("relatedRecords") or []
    return found

differences = []
compared = 0
for row, record in zip(rows, records):
    found = lists(record)
    for name, cell in row.items():
        if not isinstance(found.get(name), list) or name.startswith(("image.", "relationship.")):
            continue
        values = found[name]
        # An empty one among several is there only where another list is as long: lists in parallel stay in step.
        if len(values) > 1 and not any(len(other) == len(values) for key, other in found.items() if key != name):
            values = [value for value in values if value]
        told = joined(values) if values else ""
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

it('Python finds every object once, and the same values in CSV, JSON and NDJSON (needs python3)', async () => {
  expect(have(['python3'], 'reading exports back')).toBe(true);
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
