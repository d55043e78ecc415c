#!/bin/sh
# Compares a gather of radius 16 (35,937 chunks) in C, Rust and C#, in turn on one processor: the median of seven runs, each a median of 201
# gathers, and the ratio to C. All load the same libterrane. Usage: tools/bindings_bench.sh [BUILD_FOLDER]
set -eu
cd "$(dirname "$0")/.."
native=$(pwd)/${1:-build/release}/packages/native
[ -e "$native/libterrane.so" ] || { echo "bindings_bench.sh: there is no $native/libterrane.so; build the target terrane_native."; exit 1; }
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
export LD_LIBRARY_PATH="$native"
cc -std=gnu17 -O2 -DTRN_SHARED -Ichunks/include packages/bench/gather.c -L"$native" -lterrane -o "$place/c"
languages=c
if command -v cargo >/dev/null; then
    (cd packages/terrane-rust && TERRANE_LIB_DIR=$native CARGO_TARGET_DIR=$native/cargo cargo build --release --offline --quiet --example gather)
    ln -s "$native/cargo/release/examples/gather" "$place/rust"
    languages="$languages rust"
fi
if command -v mcs >/dev/null && command -v mono >/dev/null; then
    mcs -unsafe -optimize+ -langversion:7 -nowarn:0649 -out:"$place/gather.exe" packages/terrane-dotnet/src/*.cs packages/terrane-dotnet/examples/Gather.cs
    printf '#!/bin/sh\nexec mono -O=all %s/gather.exe\n' "$place" >"$place/csharp"
    chmod +x "$place/csharp"
    languages="$languages csharp"
fi
for _ in 1 2 3 4 5 6 7; do
    for language in $languages; do
        taskset -c 1 "$place/$language" | sed "s/^/$language /" >>"$place/times"
    done
done
sort -k1,1 -k2,2 -k3,3n "$place/times" | awk '{ key = $1 " " $2; n[key]++; if (n[key] == 4) median[key] = $3 }
    END { for (key in median) { split(key, part, " "); printf "%-7s %-7s %8.1f us  %.2f of C\n", part[1], part[2], median[key] / 1000, median[key] / median["c " part[2]] } }' | sort
