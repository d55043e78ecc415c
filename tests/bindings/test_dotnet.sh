#!/bin/sh
# Tests the C# sources with mono: their own tests and their first program; and that the example of their tarball, in an empty folder, makes
# the world of examples/world_hash.c and draws it.
# usage: test_dotnet.sh SOURCE_FOLDER LIBRARY tests|example. Exits with 77 if it skips.
set -eu
for tool in mcs mono; do
    command -v $tool >/dev/null || { echo "Skipped: $tool is missing; install mono-mcs and mono-runtime."; exit 77; }
done
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "$1"; exit 1; }
compile() { mcs -unsafe -langversion:7 -warn:4 -nowarn:0649 -warnaserror "$@"; } # 0649: fields that only C sets
cd "$1/packages/terrane-dotnet"

case $3 in
tests)
    compile -out:"$place/Tests.exe" src/*.cs test/*.cs
    LD_LIBRARY_PATH=$(dirname "$2") mono --debug "$place/Tests.exe" "$place"
    # Without the library, and with another one of its name.
    mono "$place/Tests.exe" load >"$place/said"
    grep -q 'libterrane was not found' "$place/said" || { cat "$place/said"; fail "The error does not say what is missing."; }
    mkdir "$place/other"
    echo 'const char *trn_version(void); const char *trn_version(void) { return "0.1.9"; }' >"$place/other.c"
    cc -shared -fPIC -o "$place/other/libterrane.so" "$place/other.c"
    LD_LIBRARY_PATH=$place/other mono "$place/Tests.exe" load >"$place/said"
    grep -q 'version 0.1.9' "$place/said" || { cat "$place/said"; fail "The error does not say which version was found."; }
    ;;
example)
    "$1/tools/bindings_packages.sh" "$place" "$2" dotnet
    tar -xzf "$place"/terrane-dotnet-*.tar.gz -C "$place"
    cd "$place"/terrane-dotnet-*/ # mono finds the library beside a program
    compile -target:library -out:Terrane.dll src/*.cs
    compile -r:Terrane.dll -out:World.exe examples/World.cs
    mono World.exe "$place" "$place/map.ppm"
    [ "$(wc -c <"$place/map.ppm")" = 786447 ] || fail "The map has another size."
    for block in 'csharp First.cs' 'sh first.sh'; do # the first program, and its commands
        sed -n "/^\`\`\`${block% *}\$/,/^\`\`\`\$/p" README.md | grep -v '^```' >"${block#* }"
    done
    sh -e first.sh
    ;;
esac
