#!/bin/sh
# manual.sh PROGRAM ABOUT PAGE.gz: writes the manual page of a program from its --help, with help2man.
set -eu
program=$1 about=$2 page=$3
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# help2man takes lines that end with a colon for headings, and those that begin with a prompt for commands. Our headings are the lines of a
# few words at the margin.
name=$(basename "$program")
helper=$folder/$name
cat >"$helper" <<END
#!/bin/sh
"$program" "\$@" | sed 's/^[A-Z][A-Za-z ]*\$/&:/; s/^  \(\(.* \)\{0,1\}$name\( .*\)\{0,1\}\)\$/  \$ \1/'
END
chmod +x "$helper"
help2man --no-info --name "$about" --output "$folder/page" "$helper"
gzip -9n <"$folder/page" >"$page"
