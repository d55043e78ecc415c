#!/bin/sh
# Records the walks of the demo again (assets/walks/PRESET.flight), each by its script
# (tools/walks/PRESET.walk). Do so when the land or the movement of the player has changed. A script
# that gets stuck ends it with its line. tests/viewer/test_walks.c describes scripts.
# usage: tools/record_walks.sh [BUILD [PRESET...]], without presets all of them; some seconds
set -eu
cd "$(dirname "$0")/.."
build=${1:-build/dev}
[ $# -eq 0 ] || shift
cmake --build "$build" --target test_walks
"$build/tests/viewer/test_walks" assets/walks "$@"
