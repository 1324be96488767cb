#!/bin/bash
# Runs opac as in a container: an empty environment, a user without a passwd entry, and no writable home folder.
set -euo pipefail
here=$PWD

# Runs opac with only PATH and the variables in `with`. If this script runs as root, opac runs as a user without a passwd entry.
stranger=()
if [ "$(id -u)" = 0 ]; then
  anyone=(setpriv --reuid 54321 --regid 54321 --clear-groups)
  if "${anyone[@]}" test -r "$OPAC"; then stranger=("${anyone[@]}"); fi
fi
opac() { "${stranger[@]}" env -i "PATH=$PATH" "${with[@]}" "$NODE" "$OPAC" "$@"; }

fail() { echo "container.sh: $*" >&2; exit 1; }

mkdir "$here/home" "$here/config" "$here/read-only"
chmod 777 "$here" "$here/config"
if [ ${#stranger[@]} -gt 0 ]; then chown 54321 "$here/config"; fi
chmod 555 "$here/read-only"

# Commands that store nothing work without a usable home folder: none, a missing, a read-only and a foreign folder.
for home in '' HOME=/nonexistent "HOME=$here/read-only" HOME=/root; do
  with=(${home:+"$home"})
  [ "$(opac objects list --mock --limit 2 -f ids | wc -l)" = 2 ] || fail "list with ${home:-no home}"
  code=0; opac objects count 2>errors || code=$?
  [ "$code" = 4 ] || fail "count without a deployment with ${home:-no home} ended with $code: $(cat errors)"
done
with=()
[ "$(opac profiles list -f json)" = '[]' ] || fail 'profiles'
opac status --mock >status.tsv || fail 'status'
opac objects export --mock -q -o "$here/objects.csv" || fail 'export'
[ ! -e /nonexistent ] || fail 'a folder was made under /nonexistent'
[ -z "$(ls -A "$here/read-only")" ] || fail 'a file was made in a read-only home'

# OPAC_CONFIG_DIR is sufficient, even without a home folder.
with=("OPAC_CONFIG_DIR=$here/config")
opac objects list --mock --limit 1 -q >/dev/null
printf 'key-of-the-museum' | opac login --basic-key --base-url "$MUSEUM" -q || fail 'login with OPAC_CONFIG_DIR alone'
[ "$(opac profiles list -f ids)" = default ] || fail 'the profile was not kept'

# Without a home folder, a login fails, and prints the variable to set.
with=()
if [ ${#stranger[@]} -gt 0 ]; then
  code=0; printf 'key' | opac login --basic-key --base-url "$MUSEUM" 2>errors || code=$?
  [ "$code" = 1 ] && grep -q OPAC_CONFIG_DIR errors || fail "login without a home: $code $(cat errors)"
fi

# A closed standard input does not affect commands that do not read it.
with=()
[ "$(opac objects count --mock <&-)" -gt 0 ] || fail 'closed standard input'
