#!/bin/sh
# Tests the Rust crates: their own tests, and that their example makes the world of examples/world_hash.c and draws it.
# usage: test_rust.sh SOURCE_FOLDER LIBRARY tests|example|source. Exits with 77 if it skips.
# "source" builds the crates from a tarball in an empty folder, the library too, which takes a minute.
set -eu
PATH=/usr/bin:$PATH # Debian's, the oldest that must do
for tool in cargo rustc; do
    command -v $tool >/dev/null || { echo "Skipped: $tool is missing; install cargo and rustc."; exit 77; }
done
LD_LIBRARY_PATH=$(dirname "$2")
export LD_LIBRARY_PATH TERRANE_LIB_DIR="$LD_LIBRARY_PATH" CARGO_TARGET_DIR="$LD_LIBRARY_PATH/cargo" CARGO_NET_OFFLINE=true RUST_BACKTRACE=0
place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
fail() { echo "$1"; exit 1; }

case $3 in
tests)
    cd "$1/packages/terrane-rust"
    cargo test --quiet
    if TERRANE_LIB_DIR=/nowhere cargo build --quiet -p terrane-sys 2>"$place/said"; then
        fail "A missing library is no error."
    fi
    grep -q 'there is no libterrane in TERRANE_LIB_DIR, /nowhere' "$place/said" || { cat "$place/said"; fail "The error does not say what is missing."; }
    ;;
example)
    cd "$1/packages/terrane-rust"
    cargo run --quiet --example world -- "$place" "$place/map.ppm"
    [ "$(wc -c <"$place/map.ppm")" = 786447 ] || fail "The map has another size."
    ;;
source)
    unset TERRANE_LIB_DIR LD_LIBRARY_PATH
    "$1/tools/bindings_packages.sh" "$place" "$2" rust
    tar -xzf "$place"/terrane-rust-*.tar.gz -C "$place"
    cd "$place"/terrane-rust-*/
    export CARGO_TARGET_DIR="$place/target"
    cargo run --quiet --example world -- "$place"
    mkdir -p "$place/first/src" # the first program, in a package of its own
    sed -n '/^```rust$/,/^```$/p' README.md | grep -v '^```' >"$place/first/src/main.rs"
    cd "$place/first"
    { printf '[package]\nname = "first"\nversion = "0.1.0"\nedition = "2021"\n'; sed -n '/^```toml$/,/^```$/p' "$OLDPWD/README.md" | grep -v '^```'; } >Cargo.toml
    cargo run --quiet
    ;;
esac
