/** Python reads exports of the built-in museum. It must find each record once, and the same values in each format. */
import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { setUpExport } from './export-setup.js';
import { readMuseumRecords } from './museum-records.js';
import { hasPrograms } from './programs.js';

/** Reads the three files with the standard library of Python. Prints the ids of each file, and where CSV and JSON differ. */
const PYTHON = `
import csv, json, re, sys
csv.field_size_limit(sys.maxsize)
with open("objects.csv", encoding="utf-8", newline="") as file:
    rows = list(csv.DictReader(file, strict=True))
with open("objects.json", encoding="utf-8") as file:
    records = json.load(file)
with open("objects.ndjson", encoding="utf-8", newline="\\n") as file:
    lines = [json.loads(line) for line in file]

def join_values(values):
    # A single value is unchanged. In several values, backslashes before a separator are doubled, and one more is added.
    if len(values) == 1:
        return values[0]
    escaped = [re.sub(r"(\\\\*)\\|", r"\\1\\1\\\\|", value) for value in values]
    return "|".join([re.sub(r"(\\\\+)$", r"\\1\\1", value) for value in escaped[:-1]] + escaped[-1:])

def lists(record):
    """Returns the lists of a record by the names of their columns."""
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
        # Empty values are kept only if another list has the same length, so that parallel lists stay aligned.
        if len(values) > 1 and not any(len(other) == len(values) for key, other in found.items() if key != name):
            values = [value for value in values if value]
        expected = join_values(values) if values else ""
        compared += 1
        if cell != expected:
            differences.append([row["id"], name, cell, expected])

print(json.dumps({
    "csv": [row["id"] for row in rows],
    "json": [record["opacObjectId"] for record in records],
    "ndjson": [record["opacObjectId"] for record in lines],
    "same": lines == records,
    "compared": compared,
    "differences": differences,
}))
`;

it('writes each object once, and the same values in CSV, JSON and NDJSON (needs python3)', async () => {
  expect(hasPrograms(['python3'], 'reading exports back')).toBe(true);
  const objects = await readMuseumRecords();
  const ids = objects.filter(({ kind }) => kind === 'objects').map(({ id }) => id);
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
