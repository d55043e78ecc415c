# Tables of results in documents, which scripts write (sourced, not run).

# table_set DOCUMENT HEAD NAME LINE: replaces the row NAME of the table whose head begins with the cell HEAD, or adds it. Rows are in order of
# their names.
table_set() {
    rows_before=$(sed -n "/^| $2 |/,/^\$/p" "$1" | sed 1,2d | grep -v "^| $3 |" | grep . || true)
    {
        sed -n "1,/^| $2 |/p" "$1"
        sed -n "/^| $2 |/{n;p;}" "$1"
        printf '%s\n%s\n' "$rows_before" "$4" | grep . | LC_ALL=C sort
        sed "1,/^| $2 |/d" "$1" | sed -n '/^$/,$p'
    } >"$1.new"
    mv "$1.new" "$1"
}

# table_commit: the commit that a row is about, and whether anything other than the tables differs from it.
table_commit() {
    git diff --quiet HEAD -- . ':!docs/results' && table_changes= || table_changes=' with changes'
    echo "$(git rev-parse --short=12 HEAD)$table_changes"
}
