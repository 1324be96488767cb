# jq and comm on two files: the lines of two NDJSON exports that only one has.
comm -3 <(jq -cS . "$1" | sort) <(jq -cS . "$2" | sort) | wc -l
