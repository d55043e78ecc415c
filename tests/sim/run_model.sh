#!/bin/sh
# Checks the model of leases in all its states: three members, two regions, a failover and two takes of
# regions, half a minute and 1 GB. With TERRANE_TEST_FULL, three takes: more than 14 million states,
# 2.5 GB and minutes. Two members are enough to find each fault that is put into it.
# usage: run_model.sh MODEL FOLDER
set -eu
model=$1
cd "$2"
takes=2
[ -z "${TERRANE_TEST_FULL:-}" ] || takes=3

# check OPTIONS: of the preprocessor; the result is in the file report.
check() {
    spin "$@" -a "$model"
    "${CC:-cc}" -O2 -DSAFETY -o pan pan.c
    ./pan -m100000 >report 2>&1
    if ! grep -q 'errors:' report || grep -q 'max search depth too small\|out of memory' report; then
        cat report
        exit 1
    fi
}
has_errors() { ! grep -q 'errors: 0' report; }

check -DMEMBERS=3 -DTAKES="$takes"
grep -E 'errors:|states, stored' report
has_errors && { cat report; exit 1; }
for fault in NO_TOKEN NO_TERM_AT_GIVE NO_CHECK NO_EPOCH; do
    check -DMEMBERS=2 -DTAKES=2 -D"$fault"
    has_errors || { echo "$fault is not found."; exit 1; }
    echo "$fault is found: $(grep -m1 'pan:1' report)"
done
