#!/bin/sh
# Tests the Python package: its own tests and its first program; and that the example of its tarball, in an empty folder, makes the world of
# examples/world_hash.c and draws it.
# usage: test_python.sh SOURCE_FOLDER LIBRARY tests|example. Exits with 77 if it skips.
set -eu
for python in python3 /usr/bin/python3; do
    if "$python" -c 'import cffi, numpy' 2>/dev/null; then
        found=$python
        break
    fi
done
if [ -z "${found:-}" ]; then
    echo "Skipped: Python lacks cffi or numpy; install python3-cffi and python3-numpy."
    exit 77
fi
export PYTHONDONTWRITEBYTECODE=1
if [ "$3" = tests ]; then
    export TERRANE_LIBRARY="$2" PYTHONPATH="$1/packages/terrane-python"
    sed -n '/^```python/,/^```/p' "$1/packages/terrane-python/README.md" | grep -v '^```' | "$found" - # the first program
    exec "$found" "$1/packages/terrane-python/test/test_terrane.py"
fi
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
"$1/tools/bindings_packages.sh" "$place" "$2" python
tar -xzf "$place"/terrane-python-*.tar.gz -C "$place"
cd "$place"/terrane-python-*/
PYTHONPATH=. "$found" examples/world.py map.png
bytes=$(wc -c <map.png)
[ "$bytes" -gt 50000 ] || { echo "The map has only $bytes bytes."; exit 1; }
