#!/bin/sh
# A program that saves worlds in files links what these need, and neither PostgreSQL nor what reads other games' worlds.
# usage: test_links.sh PROGRAM
set -eu
links=$(readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in sqlite3 zstd; do
    case $links in
    *"lib$library."*) ;;
    *) echo "$1 does not link $library, so this test says nothing" && exit 1 ;;
    esac
done
if echo "$links" | grep -E '^lib(pq|spng|png|z|lz4|terrane_shared|terrane_import)[.0-9-]*\.so'; then
    echo "$1 links the above"
    exit 1
fi
