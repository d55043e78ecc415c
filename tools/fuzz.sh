#!/bin/sh
# Fuzzes for some minutes each: tools/fuzz.sh MINUTES [TARGET...], all targets unless some are named. Inputs that reach new code are kept
# in build/fuzz/corpus/TARGET. An input that fails is copied to tests/fuzz/corpus/TARGET, where the tests replay it: mend the code, and
# commit both. Ends with one line for each target: inputs tried, code reached, findings.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/fuzz.sh
. tools/setup.sh
case ${1:-} in
'' | *[!0-9]*) misuse "The first argument is a number of minutes, not '${1:-}'." ;;
esac
seconds=$(($1 * 60))
shift
ensure_packages clang lld cmake ninja-build pkg-config libsqlite3-dev libzstd-dev libxxhash-dev libspng-dev zlib1g-dev \
    liblz4-dev libcmocka-dev
mkdir -p build
cmake --preset fuzz >build/fuzz.log && cmake --build build/fuzz --target fuzzers >>build/fuzz.log || {
    tail -n 20 build/fuzz.log >&2
    die "the targets could not be built."
}
[ $# -gt 0 ] || set -- $(sed -n 's/^FUZZ_TARGET(\(.*\))$/\1/p' build/fuzz/tests/fuzz/fuzz_targets.h)

# fuzz TARGET: -timeout and the limits of memory make what is slow or greedy a finding as well.
fuzz() {
    program=build/fuzz/tests/fuzz/fuzz_$1
    [ -x "$program" ] || die "there is no target '$1'."
    corpus=build/fuzz/corpus/$1
    findings=build/fuzz/findings/$1
    mkdir -p "$corpus" "$findings"
    log=build/fuzz/$1.log
    [ ! -d /dev/shm ] || export TMPDIR=/dev/shm # for targets that write files
    "$program" -max_total_time="$seconds" -timeout=10 -malloc_limit_mb=256 -rss_limit_mb=1024 -max_len=65536 -print_final_stats=1 \
        -artifact_prefix="$findings/" "$corpus" "tests/fuzz/corpus/$1" >"$log" 2>&1 || failed=1
    found=0
    for finding in "$findings"/*; do
        [ -f "$finding" ] || continue
        mv "$finding" "tests/fuzz/corpus/$1/found-$(basename "$finding" | cut -c 1-24)"
        found=$((found + 1))
    done
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    printf '%s: %s inputs, %s edges, %d findings\n' "$1" "${tried:-?}" "${edges:-?}" "$found"
}

failed=0
for target in "$@"; do
    fuzz "$target"
done
[ "$failed" = 0 ] || die "a target failed; build/fuzz/TARGET.log has the report."
