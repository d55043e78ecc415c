#!/bin/sh
# Measures the tables of README and docs again; --help says how.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/remeasure.sh
. tools/setup.sh

usage() {
    cat <<'HELP'
Usage: tools/remeasure.sh [--cpu N] [--repeats N] [--wait MINUTES] [--anyway] [TOPIC...]

Runs terrane-bench of build/release in full on each topic (all, if none is named), one after the other, and writes bench/results/TOPIC.csv
and the tables of the documents. A run that was interrupted goes on where it stopped: what it has measured stays in build/remeasure/.

  --cpu N         pins topics of one thread to processor N (the last that this process may use); topics of several threads are not pinned
  --repeats N     measures questions with a row that spreads by more than 15 % again, up to N times, and keeps the steadier figures (2)
  --wait MINUTES  waits so long for a busy machine to become idle before each topic, and then stops (10)
  --anyway        measures on a busy machine; the figures say so
HELP
}

# ---- the command line
cpu=
repeats=2
wait_minutes=10
anyway=
number() {
    case ${2:-} in
    '' | *[!0-9]*) misuse "$1 takes a number." ;;
    esac
}
while [ $# -gt 0 ]; do
    case $1 in
    -h | --help) usage; exit 0 ;;
    --cpu) number "$@"; cpu=$2; shift ;;
    --repeats) number "$@"; repeats=$2; shift ;;
    --wait) number "$@"; wait_minutes=$2; shift ;;
    --anyway) anyway=1 ;;
    -*) misuse "there is no option $1." ;;
    *) break ;;
    esac
    shift
done

# ---- the build
bench=build/release/bench/terrane-bench
how_to_build='cmake --preset release && cmake --build --preset release --target terrane-bench'
[ -x "$bench" ] || die "there is no $bench. Type: $how_to_build"
commit=$(git describe --always --abbrev=12 2>/dev/null) || die "there is no git history here, so figures would lack their commit. Measure in a clone."
built=$(sed -n 's/.*TERRANE_COMMIT "\(.*\)"/\1/p' build/release/bench/generated/commit.h)
case $built in
"$commit") ;;
*-dirty) die "$bench was built with uncommitted changes. Commit or stash them, then type: $how_to_build" ;;
*) die "$bench is of commit $built, and the newest commit is $commit. Type: $how_to_build" ;;
esac
all=$("$bench" --print-completion | sed -n "s/.*terrane-bench:\*) words='\(.*\)' ;;/\1/p")
for topic in "$@"; do
    case " $all " in
    *" $topic "*) ;;
    *) misuse "there is no topic '$topic'. There are: $all." ;;
    esac
done
if [ $# = 0 ]; then
    # shellcheck disable=SC2086  # a list of topics
    set -- $all
    if [ -z "${TERRANE_BENCH_POSTGRES:-}" ]; then
        say "Topic shared is left out: set TERRANE_BENCH_POSTGRES to the URL of an empty database to measure it."
        # shellcheck disable=SC2046  # a list of topics
        set -- $(printf '%s\n' "$@" | grep -v '^shared$')
    fi
fi

# The same commit, compiler, flags and machine.
key=$({ cat "$bench"; grep -m 1 'model name' /proc/cpuinfo; uname -nr; } 2>/dev/null | cksum | cut -d ' ' -f 1)
state=build/remeasure/$commit-$key
mkdir -p "$state"

# ---- the machine
processors=$(getconf _NPROCESSORS_ONLN)
[ -n "$cpu" ] || cpu=$(taskset -pc $$ 2>/dev/null | sed 's/.*[ ,-]//')
# Topics of several threads take all processors.
pin_of() {
    case $1 in
    stream | far | terrain | shared | game) ;;
    *) [ -z "$cpu" ] || ! taskset -c "$cpu" true 2>/dev/null || echo "taskset -c $cpu" ;;
    esac
}

load() { cut -d ' ' -f 1 /proc/loadavg 2>/dev/null || true; }

# "BUSY ALL": ticks of all processors since the start of the system; nothing where the system does not say.
ticks() {
    read -r _ user nice system idle waiting interrupts soft stolen _ 2>/dev/null </proc/stat || return 0
    busy=$((user + nice + system + interrupts + soft + stolen))
    echo "$busy $((busy + idle + waiting))"
}

# busy_since "BUSY ALL": hundredths of processors that were busy since then.
busy_since() {
    # shellcheck disable=SC2046,SC2086  # words
    set -- $1 $(ticks)
    if [ $# = 4 ] && [ "$4" -gt "$2" ]; then
        echo $((100 * processors * ($3 - $1) / ($4 - $2)))
    else
        echo 0
    fi
}
as_number() { printf '%d.%02d' $(($1 / 100)) $(($1 % 100)); }

# Other work may take a quarter of the processors.
await_idle() {
    [ -z "$anyway" ] || return 0
    end=$(($(date +%s) + 60 * wait_minutes))
    told=
    while :; do
        before=$(ticks)
        sleep 2
        busy=$(busy_since "$before")
        [ $((busy * 4)) -gt $((processors * 100)) ] || return 0
        [ "$(date +%s)" -lt "$end" ] ||
            die "the machine is busy: other work takes $(as_number "$busy") of $processors processors. End it and start again, or pass --anyway."
        [ -n "$told" ] || say "Waiting up to $wait_minutes minutes for an idle machine: other work takes $(as_number "$busy") of $processors processors ..."
        told=1
        sleep 10
    done
}

# ---- measuring
# run_once TOPIC NUMBER [OPTION...]: one run of the bench, and beside what load it ran.
run_once() {
    topic=$1
    run=$state/$1.$2
    shift 2
    [ ! -f "$run.csv" ] || return 0
    await_idle
    began=$(date -u '+%Y-%m-%d %H:%M')
    load_before=$(load)
    ticks_before=$(ticks)
    # shellcheck disable=SC2046  # words of a command
    $(pin_of "$topic") "$bench" "$topic" --csv "$run.new" "$@" >"$run.log" 2>&1 ||
        die "terrane-bench $topic failed; see $run.log. What was measured before is kept: start again to go on."
    echo "$began; load $load_before before, $(load) after; $(as_number "$(busy_since "$ticks_before")") of $processors processors busy" >"$run.load"
    mv "$run.new" "$run.csv"
}

# A question is measured again for as long as its rows, as merged, are noisy.
measure() {
    run_once "$1" 1
    runs=$state/$1.1.csv
    number=1
    while :; do
        # shellcheck disable=SC2086  # a list of files
        tools/bench_results.py merge "$state/merged" $runs
        filter=$(tools/bench_results.py noisy "$state/merged")
        if [ -z "$filter" ] || [ "$number" -gt "$repeats" ]; then
            break
        fi
        number=$((number + 1))
        say "  $1: questions with a spread over 15 % again, $((number - 1)) of up to $repeats ..."
        run_once "$1" "$number" --filter "$filter"
        runs="$runs $state/$1.$number.csv"
    done
    mv "$state/merged" "$state/$1.csv"
}

at=0
for topic in "$@"; do
    at=$((at + 1))
    if [ -f "$state/$topic.csv" ]; then
        say "$at of $#: $topic, measured before (to measure it again, type: rm $state/$topic.*)"
    else
        say "$at of $#: $topic ..."
        measure "$topic"
    fi
    say "  $topic: $(sed -n 's/^environment,steadiness,"*\([^"]*\)"*,,*$/\1/p' "$state/$topic.csv")"
done
for topic in "$@"; do
    cp "$state/$topic.csv" bench/results/
done
tools/bench_tables.py
say "The results and the documents are written. See what changed: git diff --stat"
