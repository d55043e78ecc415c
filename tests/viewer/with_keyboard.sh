#!/bin/sh
# Runs a test that presses keys in the viewer's window, on a virtual display whose pixels are in a file.
# Usage: with_keyboard.sh TEST VIEWER SUPPRESSIONS [PATTERN]
# Exits with 77 (skipped) without xvfb-run or xdotool.
command -v xvfb-run >/dev/null || { echo "xvfb-run is missing: apt install xvfb"; exit 77; }
command -v xdotool >/dev/null || { echo "xdotool is missing: apt install xdotool"; exit 77; }
TERRANE_VIEWER=$2
LSAN_OPTIONS=suppressions=$3:print_suppressions=0
# Otherwise LeakSanitizer sometimes crashes on the drivers' thread-local memory.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_tls_get_addr=0
LP_NUM_THREADS=2
TERRANE_SCREEN=$(mktemp -d) || exit 1
trap 'rm -rf "$TERRANE_SCREEN"' EXIT
export TERRANE_VIEWER ASAN_OPTIONS LSAN_OPTIONS LP_NUM_THREADS TERRANE_SCREEN
xvfb-run -a -s "-screen 0 800x600x24 -noreset -fbdir $TERRANE_SCREEN" "$1" ${4:+"$4"}
