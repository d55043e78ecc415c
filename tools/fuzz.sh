#!/bin/sh
# Fuzzes for some minutes each: tools/fuzz.sh MINUTES [TARGET...], all targets unless some are named, with libFuzzer, or with --afl before
# the minutes with AFL++. Inputs that reach new code are kept in build/fuzz/corpus/TARGET, for both. An input that fails is moved to
# tests/fuzz/corpus/TARGET, where the tests replay it: mend the code, and commit both. Ends with one line for each target: inputs tried,
# code reached, findings.
# tools/fuzz.sh --coverage [TARGET...]: prints a table of the lines that the inputs of both folders reach, by file.
# tools/fuzz.sh --seeds TARGET...: adds those kept inputs of up to 1,000 bytes to tests/fuzz/corpus/TARGET that reach other code.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/fuzz.sh
. tools/setup.sh

mode=run
preset=fuzz
case ${1:-} in
-h | --help) sed -n '2,8s/^# //p' "$0"; exit ;;
--coverage) mode=coverage preset=fuzz-coverage; shift ;;
--seeds) mode=seeds; shift ;;
--afl) mode=afl preset=fuzz-afl; shift ;;
esac
if [ $mode = run ] || [ $mode = afl ]; then
    case ${1:-} in
    '' | *[!0-9]*) misuse "The first argument is a number of minutes, not '${1:-}'." ;;
    esac
    seconds=$(($1 * 60))
    shift
fi

# shellcheck disable=SC2086,SC2046  # lists of packages
ensure_packages $BUILD_PACKAGES $TEST_PACKAGES clang lld llvm $([ $mode != afl ] || echo afl++)
mkdir -p build
goals=fuzzers
for target in "$@"; do
    [ -d "tests/fuzz/corpus/$target" ] || die "there is no target '$target'."
    goals="${goals#fuzzers} fuzz_$target"
done
[ $mode != coverage ] || goals=fuzz_replay
# shellcheck disable=SC2086  # names are words
cmake --preset $preset >build/$preset.log && cmake --build build/$preset --target $goals >>build/$preset.log || {
    tail -n 20 build/$preset.log >&2
    die "the targets could not be built."
}
if [ $# -eq 0 ]; then
    [ $mode != seeds ] || misuse "--seeds needs the names of targets."
    # shellcheck disable=SC2046  # names are words
    set -- $(sed -n 's/^FUZZ_TARGET(\(.*\))$/\1/p' build/$preset/tests/fuzz/fuzz_targets.h)
fi
[ ! -d /dev/shm ] || export TMPDIR=/dev/shm # for targets that write files
failed=0

# Moves what failed into the tests' corpus. @param FILE...
keep_findings() {
    found=0
    for finding in "$@"; do
        [ -f "$finding" ] && [ "$(basename "$finding")" != README.txt ] || continue
        name=$(sha1sum "$finding" | cut -c 1-12)
        mv "$finding" "tests/fuzz/corpus/$target/found-$name"
        found=$((found + 1))
    done
    [ $found = 0 ] || failed=1
}

tell() {
    printf '%s: %s inputs, %s edges, %d findings\n' "$target" "${tried:-?}" "${edges:-?}" "$found"
}

# -timeout and the limits of memory make what is slow or greedy a finding as well.
fuzz_libfuzzer() {
    findings=build/fuzz/findings/$target
    mkdir -p "$findings"
    "$program" ${dictionary:+-dict="$dictionary"} -max_total_time="$seconds" -timeout=10 -malloc_limit_mb=256 -rss_limit_mb=1024 \
        -max_len=65536 -len_control=0 -print_final_stats=1 -artifact_prefix="$findings/" "$corpus" "tests/fuzz/corpus/$target" >"$log" 2>&1 || failed=1
    keep_findings "$findings"/*
    tried=$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")
    edges=$(sed -n 's/.* cov: \([0-9]*\) .*/\1/p' "$log" | tail -n 1)
    tell
}

fuzz_afl() {
    from=build/fuzz-afl/in/$target
    out=build/fuzz-afl/out/$target
    rm -rf "$from" "$out"
    mkdir -p "$from" build/fuzz-afl/out
    find "$corpus" "tests/fuzz/corpus/$target" -type f -size -128 -exec cp {} "$from" \;
    AFL_NO_UI=1 AFL_SKIP_CPUFREQ=1 AFL_NO_AFFINITY=1 AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 afl-fuzz -i "$from" -o "$out" \
        ${dictionary:+-x "$dictionary"} -V "$seconds" -t 10000 -m none -- "$program" >"$log" 2>&1 || failed=1
    keep_findings "$out"/default/crashes/* "$out"/default/hangs/*
    for input in "$out"/default/queue/id*; do
        [ ! -f "$input" ] || cp "$input" "$corpus/$(sha1sum "$input" | cut -c 1-40)"
    done
    tried=$(sed -n 's/^execs_done *: //p' "$out/default/fuzzer_stats" || :)
    edges=$(sed -n 's/^edges_found *: //p' "$out/default/fuzzer_stats" || :)
    tell
}

# Long inputs first, which reach much: few files then suffice. Short ones are added if there are few.
add_seeds() {
    short=build/fuzz/short
    for least in 400 150 0; do
        [ $least -gt 0 ] || [ "$(find "tests/fuzz/corpus/$target" -type f | wc -l)" -lt 32 ] || continue
        rm -rf $short
        mkdir $short
        find "$corpus" -type f -size -1001c -size +${least}c -exec cp {} $short \;
        "$program" -merge=1 -use_counters=0 "tests/fuzz/corpus/$target" $short >>"$log" 2>&1 || failed=1
    done
    rm -r $short
    printf '%s: %d files\n' "$target" "$(find "tests/fuzz/corpus/$target" -type f | wc -l)"
}

replay_for_coverage() {
    for folder in "tests/fuzz/corpus/$target" "$corpus"; do
        [ -z "$(ls "$folder")" ] || LLVM_PROFILE_FILE=$profiles/$target-%m-%p.profraw build/$preset/tests/fuzz/fuzz_replay "$target" "$folder" >/dev/null
    done
}

profiles=build/fuzz-coverage/profiles
rm -rf $profiles
for target in "$@"; do
    program=build/$preset/tests/fuzz/fuzz_$target
    corpus=build/fuzz/corpus/$target
    log=build/$preset/$target.log
    dictionary=tests/fuzz/dict/$target.dict
    [ -f "$dictionary" ] || dictionary=
    mkdir -p "$corpus"
    case $mode in
    coverage) replay_for_coverage ;;
    seeds) add_seeds ;;
    afl) fuzz_afl ;;
    run) fuzz_libfuzzer ;;
    esac
done
if [ $mode = coverage ]; then
    llvm-profdata merge -sparse $profiles/*.profraw -o $profiles/all.profdata
    llvm-cov export -summary-only -instr-profile $profiles/all.profdata build/$preset/tests/fuzz/fuzz_replay |
        python3 tools/fuzz_coverage.py >docs/results/fuzz-coverage.md
fi
[ "$failed" = 0 ] || die "a target failed; build/$preset/TARGET.log has the report."
