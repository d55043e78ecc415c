#!/bin/sh
# Packs the bindings, each with all that it needs: tools/bindings_packages.sh FOLDER LIBRARY [python|rust|dotnet]...
# FOLDER    receives terrane-LANGUAGE-VERSION.tar.gz
# LIBRARY   the libterrane that Python and C# take along, such as build/release/packages/native/libterrane.so; Rust takes its sources
set -eu
[ $# -ge 2 ] || { sed -n 's/^# //p' "$0" | head -n 3; exit 2; }
mkdir -p "$1"
folder=$(cd "$1" && pwd)
library=$(realpath "$2")
shift 2
[ $# -gt 0 ] || set -- python rust dotnet
cd "$(dirname "$0")/.."
version=$(sed -n 's/^version = "\(.*\)"/\1/p' packages/terrane-python/pyproject.toml)
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT

for language in "$@"; do
    name=terrane-$language-$version
    mkdir "$place/$name"
    git ls-files -z --cached --others --exclude-standard "packages/terrane-$language" | tar -c --null -T - | tar -x -C "$place/$name" --strip-components=2
    cp LICENSE "$place/$name/"
    case $language in
    python) cp "$library" "$place/$name/terrane/" ;;
    rust) tools/native_sources.py "$place/$name/terrane-sys/native" ;;
    dotnet) cp "$library" "$place/$name/" ;;
    *) echo "bindings_packages.sh: there is no package for $language." >&2; exit 2 ;;
    esac
    tar -C "$place" --sort=name --owner=0 --group=0 --numeric-owner --mtime=@0 -cf - "$name" | gzip -n9 >"$folder/$name.tar.gz"
    echo "$folder/$name.tar.gz"
done
