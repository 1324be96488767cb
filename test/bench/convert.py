# Converts an NDJSON export to CSV, one line per record. Arguments: the export, the CSV file.
import csv
import json
import sys

source, target = sys.argv[1:]
with open(source, encoding='utf-8') as lines, open(target, 'w', encoding='utf-8', newline='') as out:
    rows = csv.writer(out)
    for line in lines:
        record = json.loads(line)
        sets = record['opacObjectFieldSets']
        values = ['|'.join(field['value'] for field in each['opacObjectFields']) for each in sets]
        rows.writerow([record['opacObjectId'], record['slug'], *values])
