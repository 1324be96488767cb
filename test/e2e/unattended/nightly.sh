#!/bin/bash
# Runs opac as cron does every night: only PATH in the environment, no home folder, and a closed standard input.
set -euo pipefail

program=(env -i "PATH=$PATH" "OPAC_BASE_URL=$MUSEUM" "$NODE" "$OPAC")
opac() { "${program[@]}" "$@" <&-; }
fail() { echo "nightly.sh: $*" >&2; exit 1; }
expect() { local want=$1 code=0; shift; "$@" >out 2>errors || code=$?; [ "$code" = "$want" ] || fail "$*: $code, not $want: $(cat errors)"; }

nightly=(objects export --page-size 20 --concurrency 1)

# Starts a slow export in the background, with its messages on descriptor 3. Returns when it has sent this number of requests.
begin() {
  local requests=$1 line; shift
  rm -f messages; mkfifo messages
  "${program[@]}" "${nightly[@]}" --rate 4 --debug "$@" <&- 2>messages & run=$!
  exec 3<messages
  while [ "$requests" -gt 0 ]; do read -r line <&3 || fail 'the export ended too early'; case $line in '> GET'*) requests=$((requests - 1)) ;; esac; done
}

# Writes and verifies a compressed file with a date in its name. There is no output, so cron sends no mail.
file=objects-$(date +%F).csv.gz
opac "${nightly[@]}" -o "$file" --resume --strict --quiet >errors 2>&1 && opac verify "$file" --quiet >>errors 2>&1 || fail "the export failed: $(cat errors)"
[ ! -s errors ] || fail "it was not quiet: $(cat errors)"
gunzip -c "$file" >whole.csv

# Two exports at once: the second one exits with 8, or waits and then succeeds.
begin 2 --rate 1 -o two.csv
expect 8 opac "${nightly[@]}" -o two.csv --quiet
grep -q 'another run is writing "two.csv"' errors || fail "the message about the lock: $(cat errors)"
mkfifo waits
opac "${nightly[@]}" -o two.csv --wait-lock 60s 2>waits & second=$!
exec 4<waits
read -r line <&4; [[ $line = *'waiting for it' ]] || fail "did not wait: $line"
cat <&3 >first; wait "$run" || fail "the first of two: $(cat first)"
cat <&4 >then; wait "$second" || fail "the export that waited: $(cat then)"
cmp two.csv whole.csv

# A killed export is resumed to the same bytes. Before that, the target does not exist.
# When the sixth request is sent, the first pages are saved.
begin 6 -o killed.csv
kill -9 "$run"; { wait "$run" && fail 'it was not killed'; } 2>/dev/null
[ ! -e killed.csv ] || fail 'the killed export wrote an incomplete file'
expect 0 opac "${nightly[@]}" -o killed.csv --resume --verbose
grep -q 'resuming "killed.csv" after' errors || fail "the export was not resumed: $(cat errors)"
cmp killed.csv whole.csv

# An interrupted export (by a user or a shutdown) exits with 130, and prints how to resume it.
begin 4 -o stopped.csv
kill -INT "$run"; code=0; wait "$run" || code=$?
[ "$code" = 130 ] || fail "stopped: $code"
grep -q -- --resume <&3 || fail 'the message does not contain --resume'
echo "130 opac objects export, interrupted"

# If the reader ends, the program exits without a message, even with pipefail.
[ "$(opac objects list --all -f ndjson 2>errors | head -n 3 | wc -l)" = 3 ] || fail 'head'
[ ! -s errors ] || fail "the messages with head: $(cat errors)"

# The manifest contains missing ids. With --strict, they also cause exit code 6.
printf '%s\n' 20022 no-such 20011 neither >ids.txt
expect 0 opac objects export --external-id @ids.txt -o some.csv --quiet
[ "$(grep -c '^warning: .*not found' errors)" = "$(wc -l <errors)" ] || fail "the messages about ids: $(cat errors)"
grep -q '"notFound": *\["no-such", *"neither"\]' <(tr -d '\n ' <some.csv.manifest.json) || fail "the manifest: $(cat some.csv.manifest.json)"
expect 6 opac objects export --external-id @ids.txt -o some.csv --quiet --strict
