#!/bin/bash
# Every night by cron: nothing in the environment but PATH, no home, standard input closed, nobody to read what is said.
set -euo pipefail

program=(env -i "PATH=$PATH" "OPAC_BASE_URL=$MUSEUM" "$NODE" "$OPAC")
opac() { "${program[@]}" "$@" <&-; }
fail() { echo "nightly.sh: $*" >&2; exit 1; }
expect() { local want=$1 code=0; shift; "$@" >out 2>said || code=$?; [ "$code" = "$want" ] || fail "$*: $code, not $want: $(cat said)"; }

nightly=(objects export --page-size 20 --concurrency 1)

# Starts an export that takes its time in the background, its messages on descriptor 3, and goes on when the museum was asked so many times.
begin() {
  local requests=$1 line; shift
  rm -f messages; mkfifo messages
  "${program[@]}" "${nightly[@]}" --rate 4 --debug "$@" <&- 2>messages & run=$!
  exec 3<messages
  while [ "$requests" -gt 0 ]; do read -r line <&3 || fail 'the export ended too early'; case $line in '> GET'*) requests=$((requests - 1)) ;; esac; done
}

# A dated, compressed file, checked: not a word of it reaches the mail of cron.
file=objects-$(date +%F).csv.gz
opac "${nightly[@]}" -o "$file" --resume --strict --quiet >said 2>&1 && opac verify "$file" --quiet >>said 2>&1 || fail "the night: $(cat said)"
[ ! -s said ] || fail "it was not quiet: $(cat said)"
gunzip -c "$file" >whole.csv

# Two at once: the second ends with 8, or waits and then succeeds.
begin 2 --rate 1 -o two.csv
expect 8 opac "${nightly[@]}" -o two.csv --quiet
grep -q 'another run is writing "two.csv"' said || fail "said of the lock: $(cat said)"
mkfifo waits
opac "${nightly[@]}" -o two.csv --wait-lock 60s 2>waits & second=$!
exec 4<waits
read -r line <&4; [[ $line = *'waiting for it' ]] || fail "did not wait: $line"
cat <&3 >first; wait "$run" || fail "the first of two: $(cat first)"
cat <&4 >then; wait "$second" || fail "the one that waited: $(cat then)"
cmp two.csv whole.csv

# Killed, then resumed: the same bytes. Nothing is under the name of the file before that.
# A sixth request is sent when the first pages are safe.
begin 6 -o killed.csv
kill -9 "$run"; { wait "$run" && fail 'it was not killed'; } 2>/dev/null
[ ! -e killed.csv ] || fail 'a file that is not whole'
expect 0 opac "${nightly[@]}" -o killed.csv --resume --verbose
grep -q 'resuming "killed.csv" after' said || fail "nothing was kept: $(cat said)"
cmp killed.csv whole.csv

# Stopped by a person or a shutdown: 130, and what to do is said.
begin 4 -o stopped.csv
kill -INT "$run"; code=0; wait "$run" || code=$?
[ "$code" = 130 ] || fail "stopped: $code"
grep -q -- --resume <&3 || fail 'how to resume was not said'
echo "130 opac objects export, interrupted"

# A reader that has enough ends the program quietly, under pipefail too.
[ "$(opac objects list --all -f ndjson 2>said | head -n 3 | wc -l)" = 3 ] || fail 'head'
[ ! -s said ] || fail "said to head: $(cat said)"

# Ids that are not there: in the manifest always, in the exit code with --strict.
printf '%s\n' 20022 no-such 20011 neither >ids.txt
expect 0 opac objects export --external-id @ids.txt -o some.csv --quiet
[ "$(grep -c '^warning: .*not found' said)" = "$(wc -l <said)" ] || fail "said of ids: $(cat said)"
grep -q '"notFound": *\["no-such", *"neither"\]' <(tr -d '\n ' <some.csv.manifest.json) || fail "the manifest: $(cat some.csv.manifest.json)"
expect 6 opac objects export --external-id @ids.txt -o some.csv --quiet --strict
