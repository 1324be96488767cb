#!/bin/bash
# parallel.sh REQUESTS EACH: eight concurrent processes share one profile whose tokens expire after three uses. Each process
# sends EACH requests. No request may fail.
set -euo pipefail

mkdir config
# Variables instead of arguments, because other users of this machine can see arguments.
export OPAC_CONFIG_DIR="$PWD/config" OPAC_CLIENT_SECRET="$CLIENT_SECRET"
opac=("$NODE" "$OPAC")
fail() { echo "parallel.sh: $*" >&2; exit 1; }

"${opac[@]}" login --base-url "$MUSEUM" --client-id "$CLIENT_ID" --redirect-uri "$REDIRECT_URI" --method headless --quiet
"${opac[@]}" objects list --limit "$1" -f ids --quiet >ids
xargs -P 8 -n "$2" "${opac[@]}" objects get -f ids <ids >got 2>errors || fail "a request failed: $(sort errors | uniq -c | head)"
[ ! -s errors ] || fail "messages: $(head errors)"
cmp <(sort ids) <(sort got) || fail "$(wc -l <got) of $1 answered"
echo "$(wc -l <got) of $1 requests answered"
