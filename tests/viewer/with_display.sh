#!/bin/sh
# Runs a test that draws under a virtual display.
# Usage: with_display.sh TEST VIEWER SUPPRESSIONS
# Exits with 77 (skipped) without xvfb-run.
command -v xvfb-run >/dev/null || { echo "xvfb-run is missing: apt install xvfb"; exit 77; }
TERRANE_VIEWER=$2
LSAN_OPTIONS=suppressions=$3:print_suppressions=0
# Otherwise LeakSanitizer sometimes crashes on the drivers' thread-local memory.
ASAN_OPTIONS=${ASAN_OPTIONS:+$ASAN_OPTIONS:}intercept_tls_get_addr=0
LP_NUM_THREADS=2
XDG_CONFIG_HOME=/nonexistent # ignore the user's settings
export TERRANE_VIEWER ASAN_OPTIONS LSAN_OPTIONS LP_NUM_THREADS XDG_CONFIG_HOME
# -noreset: otherwise the server restarts when its last window closes, and refuses windows meanwhile.
exec xvfb-run -a -s "-screen 0 1280x1024x24 -noreset" "$1"
