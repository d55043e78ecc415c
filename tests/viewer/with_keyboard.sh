#!/bin/sh
# Runs a test that presses keys in the viewer's window, under a virtual display whose pixels lie in a file.
# Usage: with_keyboard.sh TEST VIEWER SUPPRESSIONS [PATTERN]
# Ends with 77 (skipped) where there is no xvfb-run or no xdotool.
command -v xvfb-run >/dev/null || { echo "xvfb-run is missing: apt install xvfb"; exit 77; }
command -v xdotool >/dev/null || { echo "xdotool is missing: apt install xdotool"; exit 77; }
TERRANE_VIEWER=$2
LSAN_OPTIONS=suppressions=$3:print_suppressions=0
# Otherwise LeakSanitizer itself falls over the drivers' thread-local memory, now and then.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_tls_get_addr=0
LP_NUM_THREADS=2
TERRANE_SCREEN=$(mktemp -d) || exit 1
trap 'rm -rf "$TERRANE_SCREEN"' EXIT
export TERRANE_VIEWER ASAN_OPTIONS LSAN_OPTIONS LP_NUM_THREADS TERRANE_SCREEN
xvfb-run -a -s "-screen 0 800x600x24 -noreset -fbdir $TERRANE_SCREEN" "$1" ${4:+"$4"}
