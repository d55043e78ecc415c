#!/usr/bin/env python3
"""Writes Terrane as one header and one source: terrane.h, terrane.c and the C++ wrapper terrane.hpp.

usage: tools/single_file.py FOLDER

The files hold the libraries chunks and mesher with their embedded assets. A game adds terrane.c to its sources and includes
"terrane.h"; no flags are needed. The same tree always gives the same bytes.

terrane.h    the public headers, each after those that it includes
terrane.c    the sources in the order of the CMakeLists.txt files. A private header stands where it is first included. A file
             without an include guard (a kernel body) stands wherever it is included. After each source its macros are undefined.
             Parts that a program does not use can be left out with the macros of PARTS below.

Stops with a message if the result could differ from the libraries: if two sources give one name to different things, if a
header depends on a macro of the source that includes it, or if a file is missing or not listed.
"""
import glob
import os
import re
import sys
import textwrap

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIBRARIES = ["chunks", "mesher"]
PUBLIC_FOLDERS = [f"{library}/include" for library in LIBRARIES]
# Folders that a macro leaves out, and the macros that it defines: parts that call this one.
PARTS = {"chunks/terrain": ("TERRANE_NO_TERRAIN", ["TERRANE_NO_FAR"]), "chunks/light": ("TERRANE_NO_LIGHT", ["TERRANE_NO_STREAM"]),
         "chunks/stream": ("TERRANE_NO_STREAM", ["TERRANE_NO_FAR"]), "chunks/far": ("TERRANE_NO_FAR", []), "chunks/fluid": ("TERRANE_NO_FLUID", [])}
FIRST_HEADER = "base/system.h"  # what C libraries must know before their first header

INCLUDE = re.compile(r'\s*#\s*include\s+([<"])([^>"]+)[>"]')
DEFINE = re.compile(r"\s*#\s*define\s+(\w+)")
GUARD = re.compile(r"#ifndef (TERRANE_\w+)\n#define \1\n")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.S)


def fail(message):
    sys.exit(f"single_file.py: {message}")


def read(path):
    try:
        with open(os.path.join(ROOT, path), encoding="utf-8") as file:
            return file.read()
    except OSError:
        fail(f"cannot read {path}.")


def listed_sources(library):
    """The sources that the library's CMakeLists.txt names, in its order; all sources of the folder must be among them."""
    text = re.sub(r"#.*", "", read(f"{library}/CMakeLists.txt"))
    names = [name for name in re.findall(r"(?<![\w/$}])[\w/]+\.c\b", text)]
    paths = [f"{library}/{name}" for name in dict.fromkeys(names)]
    there = {os.path.relpath(path, ROOT) for path in glob.glob(f"{ROOT}/{library}/**/*.c", recursive=True)}
    for path in there.symmetric_difference(paths):
        fail(f"{path} is not both in {library}/CMakeLists.txt and in the folder.")
    return paths


def assets():
    """The names and files of the embedded assets, from terrane_embed() in chunks/CMakeLists.txt."""
    call = re.search(r"terrane_embed\(\w+ PREFIX (\w+)([^)]*)\)", read("chunks/CMakeLists.txt"))
    if not call:
        fail("chunks/CMakeLists.txt has no terrane_embed() that this script understands.")
    for path in re.findall(r"\$\{PROJECT_SOURCE_DIR\}/(\S+)", call.group(2)):
        yield call.group(1) + "asset_" + re.sub(r"\W", "_", os.path.basename(path)), path


def version():
    parts = re.findall(r"#define TRN_VERSION_(?:MAJOR|MINOR|PATCH) (\d+)", "".join(read(path) for path in public_headers("h")))
    return ".".join(parts) if len(parts) == 3 else fail("the public headers define no TRN_VERSION_MAJOR, _MINOR and _PATCH.")


# ---- headers -----------------------------------------------------------------------------------------------------------


def public_path(name):
    """The file of <terrane/NAME>, or None for a header of the system."""
    for folder in PUBLIC_FOLDERS:
        if os.path.exists(f"{ROOT}/{folder}/{name}"):
            return f"{folder}/{name}"
    return fail(f"there is no public header {name}.") if name.startswith("terrane/") else None


def banner(path):
    return f"// ==== {path} " + "=" * max(0, 91 - len(path)) + "\n"


def tidy(text):
    """Without runs of empty lines, which removed includes leave."""
    return re.sub(r"\n{3,}", "\n\n", text).strip("\n") + "\n"


def public_header(path, done):
    """A public header after all that it includes and that is not done yet."""
    if path in done:
        return ""
    done.append(path)
    before, own = "", ""
    for line in read(path).splitlines(keepends=True):
        include = INCLUDE.match(line)
        name = include and public_path(include.group(2))
        if name:
            before += public_header(name, done)
        else:
            own += line
    return before + "\n" + banner(path) + tidy(own)


def public_headers(extension):
    paths = []
    for folder in PUBLIC_FOLDERS:
        paths += sorted(glob.glob(f"{ROOT}/{folder}/terrane/*.{extension}"))
    return [os.path.relpath(path, ROOT) for path in paths]


# ---- sources -----------------------------------------------------------------------------------------------------------


def code_of(text):
    """The text without comments, strings and attributes, for searching names."""
    text = re.sub(r'"(?:[^"\\\n]|\\.)*"', '""', COMMENT.sub("", text))
    text = re.sub(r"__attribute__\(\((?:[^()]|\([^()]*\))*\)\)", "", text)
    return re.sub(r"_Atomic\(([^()]*)\)", r"\1", text)


def local_names(code):
    """Names that a source defines for itself at file level: static functions and objects, types."""
    flat = re.sub(r"(?m)^\s*#(?:.*\\\n)*.*$", "", code)
    for match in re.finditer(r"(?m)^(?:\w+ )*static\b[^;{}()=\[]*?(\w+)\s*[(=\[;]", flat):
        yield match.group(1)
    for match in re.finditer(r"(?m)^(?:typedef )?(?:struct|enum|union) (\w+) ?\{|^typedef (?!struct (\w+) \2;)[^;{}]*?(\w+);", flat):
        yield match.group(1) or match.group(3)


def part_of(path):
    """The macro that leaves out a file, or None."""
    return next((macro for folder, (macro, _) in PARTS.items() if path.startswith(folder + "/")), None)


class Amalgamation:
    def __init__(self):
        self.headers = {}   # private headers that stand in the file: path -> code
        self.owners = {}    # names at file level and macros of headers -> file
        self.switches = []  # macros that C libraries read, from the tops of sources
        self.part = None    # the macro that leaves out the source under way
        self.outside = ""   # headers of other parts that it includes first: they must stay when it goes

    def own(self, name, path):
        other = self.owners.setdefault(name, path)
        if other != path:
            fail(f"{other} and {path} both define {name}; rename one.")

    def find(self, name, includer):
        for folder in [os.path.dirname(includer)] + LIBRARIES:
            path = os.path.normpath(f"{folder}/{name}")
            if os.path.exists(f"{ROOT}/{path}"):
                return path
        return fail(f'{includer} includes "{name}", which is not there.')

    def header(self, path, macros):
        """A private header at its first include; nothing at later ones."""
        if path in self.headers:
            return ""
        text = read(path)
        code = self.headers[path] = code_of(text)
        for name in macros:
            if re.search(rf"\b{name}\b", code):
                fail(f"{path} uses {name}, which the source that includes it defines.")
        for name in dict.fromkeys(re.findall(r"(?m)^\s*#\s*define\s+(\w+)", code)):
            self.own(name, path)
        for name in local_names(code):
            self.own(name, path)
        body = "\n" + banner(path) + tidy(self.expand(path, text, None)) + "\n"
        if self.part and part_of(path) != self.part:
            self.outside += body
            return ""
        return body

    def include(self, path, includer, macros, depth):
        """What takes the place of #include "path". macros: those of the source so far, or None in a header."""
        text = read(path)
        if not GUARD.search(text):
            if macros is None:
                fail(f"{includer} includes {path}, which has no include guard.")
            return f"// ---- {path}\n" + self.expand(path, text, macros)
        if depth > 0 and path not in self.headers:
            fail(f"{includer} includes {path} under a condition.")
        return self.header(path, macros or [])

    def expand(self, path, text, macros):
        out, depth, previous = [], 0, ""
        guard = 1 if GUARD.search(text) else 0
        lines = text.splitlines(keepends=True)
        for line in lines:
            include, define = INCLUDE.match(line), DEFINE.match(line)
            if re.match(r"\s*#\s*if", line):
                depth += 1
            elif re.match(r"\s*#\s*endif", line):
                depth -= 1
            if include and include.group(1) == '"':
                line = self.include(self.find(include.group(2), path), path, macros, depth - guard)
            elif include and include.group(2).startswith("terrane/"):
                public_path(include.group(2))
                line = ""
            elif define and macros is not None:
                name = define.group(1)
                if name.startswith("_"):
                    self.switches.append(name)
                    line = ""
                elif not re.search(rf"#\s*(ifndef\s+{name}\b|if\s+!defined\({name}\))", previous):
                    macros.append(name)
            if line.lstrip().startswith("#"):
                previous = line
            out.append(line)
        return "".join(out)

    def source(self, path):
        macros, text = [], read(path)
        self.part, self.outside = part_of(path), ""
        body = self.expand(path, text, macros)
        for name in local_names(code_of(text)):
            self.own(name, path)
        for name in macros:
            if name in self.owners:
                fail(f"{path} defines the macro {name}, which is a name in {self.owners[name]}; rename one.")
        undefined = "".join(f"#undef {name}\n" for name in dict.fromkeys(macros))
        body = "\n" + banner(path) + tidy(body) + undefined
        return f"{self.outside}\n#ifndef {self.part}\n{body}\n#endif\n" if self.part else body


def asset(name, path):
    """A text as numbers: compilers need not take literals of more than 4095 characters."""
    text = read(path)
    if not text.endswith("\n") or re.search(r"[^\n -~]", text):
        fail(f"{path} is not a text of printable characters of ASCII with a newline at its end.")
    numbers = textwrap.fill(", ".join(str(ord(c)) for c in text), 110, initial_indent="    ", subsequent_indent="    ")
    return (f"\n{banner(path)}extern const char {name}[];\nextern const size_t {name}_bytes;\n"
            f"const char {name}[] = {{\n{numbers},\n    0}};\nconst size_t {name}_bytes = sizeof {name} - 1;\n")


# ---- the files ---------------------------------------------------------------------------------------------------------


def title(what):
    licence = "".join(f"// {line}".rstrip() + "\n" for line in read("LICENSE").strip().splitlines())
    return (f"// Terrane {version()} in one file: {what}\n// Made by tools/single_file.py; change the original instead.\n//\n"
            f"{licence}\n")


def header_file():
    done = []
    body = "".join(public_header(path, done) for path in public_headers("h"))
    return title("the public headers. Add terrane.c to your sources.") + "#ifndef TERRANE_H\n#define TERRANE_H\n" + body + "#endif\n"


def source_file():
    made = Amalgamation()
    first = ""
    if os.path.exists(f"{ROOT}/chunks/{FIRST_HEADER}"):
        first = made.header(f"chunks/{FIRST_HEADER}", [])
    body = "".join(made.source(path) for library in LIBRARIES for path in listed_sources(library))
    body += "".join(asset(name, path) for name, path in assets())
    switches = "".join(f"#ifndef {name}\n#define {name} {'200809L' if 'POSIX' in name else '1'}\n#endif\n"
                       for name in sorted(set(made.switches)))
    return (title("chunks and mesher. Compile it as C17 or later, for example with: cc -O2 -c terrane.c")
            + "#ifdef __cplusplus\n#error \"Compile terrane.c as C; include terrane.h or terrane.hpp from C++.\"\n#endif\n\n"
            + "// The same seed gives the same world on every machine: no fused multiply-adds.\n"
            + "#if defined(__clang__)\n#pragma STDC FP_CONTRACT OFF\n"
            + "#elif defined(__GNUC__) // which ignores that pragma\n#pragma GCC optimize(\"fp-contract=off\")\n#endif\n\n"
            + "// Some processors leave inline functions of headers unused.\n"
            + "#if defined(__clang__)\n#pragma clang diagnostic ignored \"-Wunused-function\"\n#endif\n\n"
            + "".join(f"#if defined({macro}) && !defined({more})\n#define {more}\n#endif\n" for macro, implied in PARTS.values() for more in implied)
            + switches + first + '\n#include "terrane.h"\n' + body)


def wrapper_file():
    """The C++ wrapper, with every header of Terrane replaced by terrane.h."""
    done = public_headers("h")
    body = "".join(public_header(path, done) for path in public_headers("hpp"))
    return title("the C++ wrapper, header-only.") + '#include "terrane.h"\n' + body


def main():
    if len(sys.argv) != 2 or sys.argv[1].startswith("-"):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    folder = sys.argv[1]
    files = {"terrane.h": header_file(), "terrane.c": source_file(), "terrane.hpp": wrapper_file()}
    try:
        os.makedirs(folder, exist_ok=True)
        for name, text in files.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        fail(f"cannot write to {folder}: {error.strerror}.")


if __name__ == "__main__":
    main()
