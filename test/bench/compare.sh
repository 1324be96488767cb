# Counts the records that are only in one of two NDJSON exports, with jq and comm.
comm -3 <(jq -cS . "$1" | sort) <(jq -cS . "$2" | sort) | wc -l
