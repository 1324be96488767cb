# Counts the added, removed and changed records of two NDJSON exports.
import json
import sys


def records(path):
    with open(path, encoding='utf-8') as lines:
        return {record['opacObjectId']: record for record in map(json.loads, lines)}


old, new = map(records, sys.argv[1:])
changed = [key for key in old.keys() & new.keys() if old[key] != new[key]]
print(len(new.keys() - old.keys()), len(old.keys() - new.keys()), len(changed))
