#!/bin/sh
# clang-tidy over every source file of ours, over those that changed since a commit, or over those that are named:
# tools/tidy.sh [--preset NAME] [--quick] [--since COMMIT] [FILE...]
# --quick leaves out the static analyzer, which takes nine tenths of the time.
# Reads how each is compiled from build/NAME (dev, unless given), which ./test.sh has built; nothing is compiled again.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/tidy.sh
. tools/setup.sh
preset=dev
if [ "${1:-}" = --preset ]; then
    [ $# -ge 2 ] || die "--preset needs a name."
    preset=$2
    shift 2
fi
checks=
if [ "${1:-}" = --quick ]; then
    checks=--checks=-clang-analyzer-*
    shift
fi
since=
if [ "${1:-}" = --since ]; then
    [ $# -ge 2 ] || die "--since needs a commit."
    git rev-parse --quiet --verify "$2^{commit}" >/dev/null || die "there is no commit '$2'."
    since=$2
    shift 2
fi
commands=build/$preset/compile_commands.json
[ -f "$commands" ] || die "there is no $commands yet; type: ./test.sh --preset $preset"
ensure_packages clang-tidy-14

# Sources that are compiled for several targets count once: clang-tidy would read them as often, and clang 14 then takes a va_list of the
# second time for an uninitialised one.
mkdir -p "build/$preset/tidy"
python3 - "$commands" "build/$preset/tidy/compile_commands.json" <<'END'
import json, sys
once = {}
for command in json.load(open(sys.argv[1])):
    once.setdefault(command["file"], command)
json.dump(list(once.values()), open(sys.argv[2], "w"), indent=0)
END

# The files of the build that are ours and not generated: below this folder, but not below build/.
built_files() {
    sed -n 's|^ *"file": "\(.*\)",\{0,1\}$|\1|p' "$commands" | sed -n "s|^$PWD/||p" | grep -v '^build/' | sort -u
}
wanted_files() {
    if [ -z "$since" ]; then
        built_files
    else
        changed=$(mktemp)
        git diff --name-only --diff-filter=d "$since" >"$changed"
        built_files | grep -Fxf "$changed" || true
        rm -f "$changed"
    fi
}
# xargs ends with 123 when any of them found something.
if [ $# -gt 0 ]; then printf '%s\n' "$@"; else wanted_files; fi |
    xargs -r -P "$(nproc)" -n 1 clang-tidy-14 -p "build/$preset/tidy" --quiet ${checks:+"$checks"} 2>/dev/null
