#!/bin/bash
# A CI job that checks whether the service responds. Prints each exit code with its command.
set -uo pipefail

opac() { env -i "PATH=$PATH" "${with[@]}" "$NODE" "$OPAC" "$@"; }
fail() { echo "smoke.sh: $*" >&2; exit 1; }
# see CODE WORDS…: runs the program, which must exit with CODE.
see() {
  local want=$1 code=0; shift
  opac "$@" >out 2>errors </dev/null || code=$?
  [ "$code" = "$want" ] || fail "opac $*: $code, not $want: $(cat out errors)"
  echo "$code opac $*"
}

with=("OPAC_BASE_URL=$MUSEUM" CI=true)
see 0 status -f json --wait 10s
grep -q '"works":true' out || fail "status: $(cat out)"
see 1 objects export -o no/such/folder.csv
see 2 objects list --limit many
see 3 objects get 999
echo 'id' >plain.csv
see 6 verify plain.csv
see 7 check --only expected.min --expect objects=999999 --retries 0 --quiet
echo '{"pid":1,"host":"another-machine"}' >held.csv.lock
while sleep 0.2; do touch held.csv.lock; done >/dev/null 2>&1 </dev/null &
touching=$!
see 8 objects export -o held.csv
kill $touching

# Mistakes in CI: no URL, a misspelt variable, an empty secret, and a URL without a server.
# Another home folder, because the user who runs the tests may have a profile.
with=(CI=true "HOME=$PWD"); see 4 objects count
with=("OPAC_BASE_URL=$MUSEUM" OPAC_BASIC_KEYY=x); see 2 objects count
with=("OPAC_BASE_URL=$MUSEUM" OPAC_BASIC_KEY=); see 4 objects count
with=(OPAC_BASE_URL=http://127.0.0.1:9 OPAC_ERROR_FORMAT=json OPAC_RETRIES=0); see 5 status
tail -n 1 errors | grep -q '"code":"connection-refused"' || fail "the error: $(cat errors)"

# Compares two exports.
with=("OPAC_BASE_URL=$MUSEUM")
see 0 objects export --limit 3 -o before.csv
see 0 objects export --limit 4 -o after.csv
see 9 diff before.csv after.csv --exit-code
