#!/bin/sh
# The files of packaging/ state the version of base.h, and can be parsed.
# usage: test_packaging.sh SOURCE_DIR
set -eu
source=$1
. "$(dirname "$0")/expect.sh"
cd "$source/packaging"

# states FILE LINE
states() {
    grep -qxF -e "$2" "$1" || fail "packaging/$1 lacks the line '$2'"
}
states vcpkg/ports/terrane/vcpkg.json "  \"version\": \"$version\","
states vcpkg/versions/baseline.json "    \"terrane\": { \"baseline\": \"$version\", \"port-version\": 0 }"
states vcpkg/versions/t-/terrane.json "    { \"version\": \"$version\", \"port-version\": 0, \"path\": \"\$/ports/terrane\" }"
states debian/control "Depends: libterrane$minor_version (= \${binary:Version}), \${misc:Depends}"
states debian/control "Depends: libterrane-dev (= \${binary:Version}), libterrane-save$minor_version (= \${binary:Version}), libterrane-shared$minor_version (= \${binary:Version}), libterrane-import$minor_version (= \${binary:Version}), libsqlite3-dev, libzstd-dev, libxxhash-dev, zlib1g-dev, liblz4-dev, libpq-dev, libnats-dev, libspng-dev, \${misc:Depends}"
for library in libterrane libterrane-save libterrane-shared libterrane-import; do
    states debian/control "Package: $library$minor_version"
done
# Each package is filled from a component, and no component is left over.
sed -n 's/^Package: //p' debian/control | sort >"${TMPDIR:-/tmp}/packages.$$"
grep -o '[a-z0-9.-]*:[a-z_][a-z_]*[ ;]' debian/rules | sed 's/:.*//' | sort | diff "${TMPDIR:-/tmp}/packages.$$" - ||
    fail "packaging/debian/rules fills other packages than packaging/debian/control names"
rm "${TMPDIR:-/tmp}/packages.$$"
case $(head -n 1 debian/changelog) in
"terrane ($version-"*) ;;
*) fail "packaging/debian/changelog does not begin with terrane ($version-1)" ;;
esac
if command -v python3 >/dev/null; then
    python3 -c 'import ast, json
port = json.load(open("vcpkg/ports/terrane/vcpkg.json"))
for name in ("baseline", "t-/terrane"):
    json.load(open(f"vcpkg/versions/{name}.json"))
for name in ("conan/test_package/conanfile.py", "conan/conanfile.py"):
    recipe = ast.parse(open(name).read(), name)
lists = {line.targets[0].id: ast.literal_eval(line.value) for line in recipe.body if isinstance(line, ast.Assign)}
for part, libraries in lists["REQUIRES"].items():
    if {library.split("/")[0] for library in libraries} != {each for each in port["features"][part]["dependencies"] if isinstance(each, str)}:
        raise SystemExit(f"the ports of vcpkg and Conan name different libraries for {part}")'
fi
echo "packaging/ states version $version"
