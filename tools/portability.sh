#!/bin/sh
# Builds and tests the libraries for other platforms and compilers, and writes the results into docs/results/platforms.md.
set -eu
cd "$(dirname "$0")/.."
PROGRAM=tools/portability.sh
. tools/setup.sh
. tools/table.sh
. tools/portability/lib.sh

usage() {
    cat <<END
usage: tools/portability.sh [--yes] [--quick] [--no-table] [ROW...]
       tools/portability.sh --list | --help

Builds Terrane's libraries and tests in build/portability/ROW for each ROW, runs the tests, and writes the result into the table
of docs/results/platforms.md. Without ROW: all rows, which takes hours. Installs missing Debian packages (asking first).

  --list      prints the rows
  --quick     only the rows of .ci/run, without the parts that take long; changes no table
  --no-table  changes no table
  --yes       installs packages without asking

examples:
  tools/portability.sh i686 musl
  tools/portability.sh --yes --quick
END
}

all_rows() {
    for file in tools/portability/rows/*.sh; do
        basename "$file" .sh
    done
}

list_rows() {
    for row in $(all_rows); do
        (. "tools/portability/rows/$row.sh" && printf '%-14s %s\n' "$row" "$ROW_ABOUT")
    done
}

ASSUME_YES=0
QUICK=0
write_table=yes
rows=
for argument in "$@"; do
    case $argument in
    --help) usage; exit 0 ;;
    --list) list_rows; exit 0 ;;
    --yes) ASSUME_YES=1 ;;
    --quick) QUICK=1 write_table=no ;;
    --no-table) write_table=no ;;
    -*) misuse "there is no option '$argument'." ;;
    *)
        [ -f "tools/portability/rows/$argument.sh" ] || misuse "there is no row '$argument'; --list prints the rows."
        rows="$rows $argument"
        ;;
    esac
done
if [ -z "$rows" ] && [ "$QUICK" = 1 ]; then
    for row in $(all_rows); do
        if (. "tools/portability/rows/$row.sh" && [ "${ROW_IS_QUICK:-no}" = yes ]); then
            rows="$rows $row"
        fi
    done
fi

status=0
for row in ${rows:-$(all_rows)}; do
    row_run "$row" || status=1
    [ "$write_table" = no ] || table_write "$row"
done
exit $status
