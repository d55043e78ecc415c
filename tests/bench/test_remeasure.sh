#!/bin/sh
# tools/remeasure.sh and the age of figures, on a small repository with a program in the bench's place, which measures nothing.
# usage: test_remeasure.sh SOURCE_FOLDER
set -u
source=$1
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failures=0
fail() {
    echo "FAILED: $*"
    cat "$work/out"
    failures=$((failures + 1))
}

# expect STATUS TEXT COMMAND...: both the status and some of what the command says must fit; an empty text always does.
expect() {
    status=$1
    text=$2
    shift 2
    "$@" >"$work/out" 2>&1 </dev/null
    got=$?
    if [ "$got" != "$status" ] || ! grep -qF -- "$text" "$work/out" && [ -n "$text" ]; then
        fail "$* ended with $got instead of $status, or did not say: $text"
    fi
}

# ---- a repository with two topics
cd "$work" || exit 1
mkdir -p repo/tools repo/bench/results repo/docs/results repo/bench/pools repo/bench/voxels build_of_bench
cp "$source"/tools/remeasure.sh "$source"/tools/setup.sh "$source"/tools/bench_results.py "$source"/tools/bench_tables.py "$source"/tools/shared_plan.py repo/tools/
cd repo || exit 1
unset GIT_DIR GIT_WORK_TREE TERRANE_BENCH_POSTGRES
echo build/ >.gitignore
echo '# Test' >README.md
echo 'int pools;' >bench/pools/pools.cpp
echo 'int voxels;' >bench/voxels/voxels.cpp
save() { git add -A && git -c user.name=test -c user.email=test commit -qm "$1"; }
git init -q . && save first

expect 0 'Usage: tools/remeasure.sh' tools/remeasure.sh --help
expect 2 'there is no option --nonsense' tools/remeasure.sh --nonsense
expect 2 '--cpu takes a number' tools/remeasure.sh --cpu x
expect 1 'there is no build/release/bench/terrane-bench. Type: cmake --preset release' tools/remeasure.sh

# Prints rows of which one is noisy in the first run of pools; fails while there is a file `broken`.
mkdir -p build/release/bench/generated
cat >build/release/bench/terrane-bench <<'PROGRAM'
#!/bin/sh
if [ "$1" = --print-completion ]; then
    echo "        terrane-bench:*) words='pools voxels' ;;"
    exit 0
fi
echo "$*" >>build/asked
[ ! -e build/broken ] || exit 1
spread=0.5
[ "$1 ${4:-}" = 'pools ' ] || spread=0.01
[ ! -e build/always_noisy ] || spread=0.4
commit=$(git describe --always --abbrev=12)
cat >"$3" <<CSV
row,question,world,contender,unit,count,median,min,max,repetitions,ratio,demanded,verdict,remark,spread
environment,commit,"$commit",,,,,,,,,,,,
environment,date,"2026-01-01",,,,,,,,,,,,
environment,compiler,"c",,,,,,,,,,,,
environment,flags,"f",,,,,,,,,,,,
environment,processor,"p",,,,,,,,,,,,
environment,steadiness,"of one run",,,,,,,,,,,,
entry,"walk (all)","a world","map","ns",1,10$spread,1,1,7,1,,,"",0.02
entry,"walk (all)","a world","Terrane","ns",1,20$spread,1,1,7,1,,,"",$spread
CSV
[ -n "${4:-}" ] || echo 'entry,"find","a world","map","ns",1,30,1,1,7,1,,,"",0.03' >>"$3"
echo "target,\"times as fast\",\"a world\",,\"x\",,3$spread,,,,,2,met,,$spread" >>"$3"
PROGRAM
chmod +x build/release/bench/terrane-bench
built_of() { echo "#define TERRANE_COMMIT \"$1\"" >build/release/bench/generated/commit.h; }
head_is() { git describe --always --abbrev=12; }
built_of "$(head_is)-dirty"
expect 1 'was built with uncommitted changes. Commit or stash them, then type' tools/remeasure.sh
built_of 0123456789ab
expect 1 'is of commit 0123456789ab, and the newest commit is' tools/remeasure.sh
built_of "$(head_is)"
expect 2 "there is no topic 'pool'. There are: pools voxels." tools/remeasure.sh pool

# ---- measuring, interrupted and again
: >build/broken
expect 1 'terrane-bench pools failed; see build/remeasure/' tools/remeasure.sh --anyway pools voxels
rm build/broken
expect 0 'The results and the documents are written.' tools/remeasure.sh --anyway pools
grep -q '^entry,walk (all),a world,Terrane,ns,1,200.01,.*,0.01,2$' bench/results/pools.csv || fail "the noisy question was not replaced by the second run"
grep -q '^entry,walk (all),a world,map,ns,1,100.01,.*,0.02,2$' bench/results/pools.csv || fail "a contender of the noisy question is of another run"
grep -q '^entry,find,a world,map,ns,1,30,.*,0.03,1$' bench/results/pools.csv || fail "the steady question is not of the first run"
grep -q '^target,times as fast,a world,,x,,30.01,.*,0.01,2$' bench/results/pools.csv || fail "the noisy target was not replaced by the second run"
grep -q '^environment,run 2,".*; load .* before, .* after; .* processors busy",' bench/results/pools.csv || fail "the load is missing"
grep -q '^environment,steadiness,"half of the rows within 2.0 %, nine tenths within 3.0 %"' bench/results/pools.csv || fail "the steadiness is not of the rows that were kept"
grep -q '^| pools | 2026-01-01 | .* processors busy; 2 runs | .* | no |$' docs/results/bench.md || fail "the page of results lacks the topic"
grep -qF 'pools --csv' build/asked || fail "the bench was not asked in full"
grep -qF -- '--filter ^(walk \(all\) \| a world) \|' build/asked || fail "the noisy question was not asked again alone"

: >build/asked
: >build/always_noisy
expect 0 '1 of 2: pools, measured before' tools/remeasure.sh --anyway --repeats 1 pools voxels
[ "$(grep -c '^pools' build/asked) $(grep -c '^voxels' build/asked)" = '0 2' ] || fail "measured other topics than those missing, or not as often as told"
expect 0 'Topic shared is left out' tools/remeasure.sh --anyway

# ---- the age of figures
save results
expect 0 '' tools/bench_tables.py --check --release
printf '// A comment.\nint voxels;\n' >bench/voxels/voxels.cpp
save comment
expect 0 '' tools/bench_tables.py --check --release
echo 'int other;' >>bench/voxels/voxels.cpp
save code
expect 0 'figures older than what they measure: voxels: changed, last by' tools/bench_tables.py --check
expect 1 'To measure them again, type: tools/remeasure.sh voxels' tools/bench_tables.py --check --release
git clone -q --depth 1 "file://$PWD" ../shallow
expect 0 'cannot be told: this clone is shallow' ../shallow/tools/bench_tables.py --check
mv .git ../git
expect 0 'cannot be told: there is no git history here' tools/bench_tables.py --check
expect 1 'there is no git history here' tools/remeasure.sh
mv ../git .git
sed -i 's/,30,/,31,/' bench/results/voxels.csv
sed -i 's/2026-01-01/2026-01-02/' bench/results/voxels.csv
expect 1 'docs/results/bench.md differ from bench/results/. Type: tools/bench_tables.py' tools/bench_tables.py --check
expect 1 'usage: tools/bench_tables.py' tools/bench_tables.py --nonsense

[ "$failures" = 0 ]
