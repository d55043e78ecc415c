#!/bin/sh
# Builds the documentation as a static site that needs no network: build/docs/site/index.html. Guides, examples and the API, by Doxygen.
# Fails if a public name is undocumented, a link leads nowhere, or Doxygen warns.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/docs.sh
. tools/setup.sh
case ${1-} in
'') ;;
--help) say "usage: tools/docs.sh    writes build/docs/site/index.html"; exit 0 ;;
*) misuse "Unknown option '$1'." ;;
esac
ensure_packages doxygen python3
TERRANE_VERSION=$(sed -n 's/^#define TRN_VERSION_\(MAJOR\|MINOR\|PATCH\) //p' chunks/include/terrane/base.h | paste -sd.)
export TERRANE_VERSION
rm -rf build/docs
python3 tools/docs/site.py prepare
(cd build/docs && doxygen ../../tools/docs/Doxyfile)
python3 tools/docs/site.py finish
say "The documentation is in build/docs/site/index.html."
