# What people use today: one page after the other with curl, a line a record with jq.
# Arguments: base URL, number of records, file.
for ((offset = 0; offset < $2; offset += 100)); do
  curl -s "$1/api/v3/opacobjects?view=detail&limit=100&offset=$offset" | jq -c '.opacObjects[]'
done > "$3"
