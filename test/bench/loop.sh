# A common shell script: downloads one page after the other with curl, and writes one line per record with jq.
# Arguments: base URL, number of records, file.
for ((offset = 0; offset < $2; offset += 100)); do
  curl -s "$1/api/v3/opacobjects?view=detail&limit=100&offset=$offset" | jq -c '.opacObjects[]'
done > "$3"
