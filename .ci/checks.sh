# Shared by .ci/run and .ci/nightly (sourced, not run): runs checks and counts them.
ASSUME_YES=1
passed=0
failed=0
began_all=$(date +%s)
mkdir -p build

# Tests that each take over a quarter of a minute, as a regular expression: .ci/run leaves them to .ci/nightly.
LONG_RELEASED="bench|contenders|embedded|configure|meson|side_by_side|single_file|gdb|lease_model|soak|old_land_gl|(looks|levels|blocks|water)_gl|\
viewer_(buildings|bursts|keys|map_keys|record|robust|start|worlds)|world_race|map_draw"
# The same under AddressSanitizer, of those that run as released.
LONG_ASAN="terrain|land|terrain_flora|mesher|mesher_worlds|trace|world_map|sim|soak|example_(atlas_game|replace_unordered_map)"
# The same under ThreadSanitizer.
LONG_TSAN='soak|stream_(own_generators|spared|velocity|guests|guest_streams|flight_replay|worker_replay)|fluid_replay|terrain_threads|\
world_(map|race)|viewer_world|hand_world|far_(caps|flights)|import.*|shared_(member|server|loads|operators).*'

# tally NAME COMMAND...: runs one check and counts it.
tally() {
    name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
        say "passed: $name"
    else
        failed=$((failed + 1))
        say "FAILED: $name"
    fi
}

# timed NAME COMMAND...: says how long a command took.
timed() {
    timed_name=$1
    timed_began=$(date +%s)
    shift
    "$@"
    say "$timed_name took $(($(date +%s) - timed_began)) s."
}

# begin NAME COMMAND...: runs a command in the background; its output goes to build/NAME.out.
begin() {
    begun_name=$1
    shift
    "$@" >"build/$begun_name.out" 2>&1 </dev/null &
    eval "begun_$begun_name=\$!"
}

# end NAME: waits for it, shows its output and returns its exit status.
end() {
    eval "wait \$begun_$1"
    end_status=$?
    cat "build/$1.out" >&2
    return $end_status
}

# tests PRESET [CTEST_OPTION...]: runs test.sh and counts each test of CTest's closing line; a build that fails counts as one failure.
tests() {
    log=build/$1.test.log
    ./test.sh --yes --preset "$@" >"$log" 2>&1 </dev/null
    status=$?
    grep -vE '^ +Start |^Test project' "$log"
    good=$(grep -cE '^ *[0-9]+/[0-9]+ Test .* Passed ' "$log")
    bad=$(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*(Failed|Timeout|Exception|Not Run)' "$log")
    [ "$status" = 0 ] || [ "$bad" -gt 0 ] || bad=1
    [ "$good" -gt 0 ] || [ "$bad" -gt 0 ] || bad=1
    passed=$((passed + good))
    failed=$((failed + bad))
}

format_is_clean() {
    git ls-files '*.c' '*.h' '*.cpp' '*.hpp' | xargs clang-format-14 --dry-run -Werror
}

# lint OPTION...: tools/tidy.sh with these options; shows what it found.
lint() {
    tools/tidy.sh "$@" >build/tidy.log || {
        grep -E -A 6 'error:|warning:' build/tidy.log | head -n 80
        return 1
    }
}

# finish: the closing line, and the exit status.
finish() {
    say "Took $(($(date +%s) - began_all)) s."
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}
