#!/bin/sh
# Tests the npm package in node, as built and as installed from its tarball, bundled where there is esbuild, and
# its types where there is a TypeScript compiler.
# usage: test_package.sh SOURCE_FOLDER [build]
# With "build" it builds the package first, which takes over a minute; otherwise it takes the one in build/wasm. Exits with 77 if it skips.
set -eu
cd "$1"

skip() {
    echo "Skipped: $1"
    exit 77
}

command -v node >/dev/null || skip "node is missing; install nodejs."
if [ "${2:-}" = build ]; then
    command -v emcc >/dev/null || skip "emcc is missing; install emscripten."
    tools/wasm_package.sh
fi
tarball=$(ls build/wasm/terrane-wasm-*.tgz 2>/dev/null) || skip "there is no build/wasm/terrane-wasm-*.tgz; run tools/wasm_package.sh, which needs emcc."
newer=$(find chunks mesher packages/terrane-wasm tools/wasm_package.sh -type f ! -path '*/test/*' ! -name native.c ! -name bench.mjs \
    -newer "$tarball" | head -n 1)
[ -z "$newer" ] || skip "$newer is newer than the package; run tools/wasm_package.sh."

node --test packages/terrane-wasm/test/terrane.test.mjs packages/terrane-wasm/test/geometry.test.mjs

place=$(mktemp -d)
trap 'rm -rf "$place"' EXIT
root=$PWD
cd "$place"
if command -v npm >/dev/null; then
    npm install --silent --offline --no-audit --no-fund "$root/$tarball"
else
    mkdir -p node_modules/terrane-wasm
    tar -xzf "$root/$tarball" -C node_modules/terrane-wasm --strip-components 1
fi
sed -n '/^```js$/,/^```$/p' node_modules/terrane-wasm/README.md | sed '/^```/d' >readme.mjs
node readme.mjs | grep -E '^[0-9]+ triangles$'

if command -v esbuild >/dev/null; then
    esbuild --bundle --format=esm --log-level=warning --outfile=bundle/readme.mjs readme.mjs
    cp node_modules/terrane-wasm/*.wasm bundle/
    node bundle/readme.mjs | grep -E '^[0-9]+ triangles$'
else
    echo "esbuild is missing, so no bundle is tested; install esbuild."
fi

if ! command -v tsc >/dev/null; then
    echo "tsc is missing, so terrane.d.ts is not tested; install node-typescript."
    exit
fi
cp "$root/packages/terrane-wasm/test/types.mts" .
tsc --strict --target es2022 --lib es2022,dom --module nodenext types.mts
node types.mjs
echo "terrane.d.ts declares what the package has."
