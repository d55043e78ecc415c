#!/bin/sh
# Checks the model of leases in all its states, and that each fault that is put into it is found. With
# two members and two takes of regions; with TERRANE_TEST_FULL, three of both, which takes minutes.
# usage: run_model.sh MODEL FOLDER
set -eu
model=$1
cd "$2"
size="-DMEMBERS=2 -DTAKES=2"
[ -z "${TERRANE_TEST_FULL:-}" ] || size="-DMEMBERS=3 -DTAKES=3"

# check OPTIONS: of the preprocessor; the result is in the file report.
check() {
    # shellcheck disable=SC2086  # two options
    spin $size "$@" -a "$model"
    "${CC:-cc}" -O2 -DSAFETY -DCOLLAPSE -o pan pan.c
    ./pan -m100000 >report 2>&1
    if ! grep -q 'errors:' report || grep -q 'max search depth too small\|out of memory' report; then
        cat report
        exit 1
    fi
}
has_errors() { ! grep -q 'errors: 0' report; }

check
grep -E 'errors:|states, stored' report
has_errors && { cat report; exit 1; }
for fault in NO_TOKEN NO_TERM_AT_GIVE NO_CHECK NO_EPOCH; do
    check -D"$fault"
    has_errors || { echo "$fault is not found."; exit 1; }
    echo "$fault is found: $(grep -m1 'pan:1' report)"
done
