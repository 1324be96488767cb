#!/bin/bash
# parallel.sh REQUESTS EACH: eight processes at a time share one profile whose tokens die after three uses; each process makes
# EACH requests. Not one of them may fail.
set -euo pipefail

mkdir config
# Not as words of a command: other users of this machine see those.
export OPAC_CONFIG_DIR="$PWD/config" OPAC_CLIENT_SECRET="$CLIENT_SECRET"
opac=("$NODE" "$OPAC")
fail() { echo "parallel.sh: $*" >&2; exit 1; }

"${opac[@]}" login --base-url "$MUSEUM" --client-id "$CLIENT_ID" --redirect-uri "$REDIRECT_URI" --method headless --quiet
"${opac[@]}" objects list --limit "$1" -f ids --quiet >ids
xargs -P 8 -n "$2" "${opac[@]}" objects get -f ids <ids >got 2>said || fail "a request failed: $(sort said | uniq -c | head)"
[ ! -s said ] || fail "said: $(head said)"
cmp <(sort ids) <(sort got) || fail "$(wc -l <got) of $1 answered"
echo "$(wc -l <got) of $1 requests answered"
