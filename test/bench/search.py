# Prints the ids of the records that have these words in their name.
import json
import re
import sys

WORDS = re.compile(r'\bno\. 11111\b')

with open(sys.argv[1], encoding='utf-8') as lines:
    for record in map(json.loads, lines):
        for field_set in record['opacObjectFieldSets']:
            if field_set['identifier'] == 'name' and any(
                WORDS.search(field['value']) for field in field_set['opacObjectFields']
            ):
                print(record['opacObjectId'])
