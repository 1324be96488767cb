# A common Python script: downloads one page after the other, and writes one line per record.
# Arguments: base URL, number of records, file.
import json, sys, urllib.request

url, count, path = sys.argv[1], int(sys.argv[2]), sys.argv[3]
with open(path, "w") as out:
    for offset in range(0, count, 100):
        with urllib.request.urlopen(f"{url}/api/v3/opacobjects?view=detail&limit=100&offset={offset}") as page:
            for record in json.load(page)["opacObjects"]:
                out.write(json.dumps(record, ensure_ascii=False) + "\n")
