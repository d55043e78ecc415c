#!/usr/bin/env python3
"""Mutation check: changes one place of the code at a time and runs the tests that should notice.

A mutant that no test kills is either a test that is missing, or code that does the same (an equivalent mutant). Equivalent
ones are listed in tests/equivalent_mutants.txt, each with its reason.

The working tree is never changed: sources are copied to build/mutate/, uncommitted changes included, and built there.
Results are kept in build/mutate/results.jsonl. A run that was stopped goes on where it ended. A later run tries mutants of
changed files again, and runs those tests for survivors that have changed since.

examples:
  tools/mutate.py chunks/store/store_evict.c            every mutant of one file
  tools/mutate.py --since origin/main                   every mutant of the sources that changed since a commit
  tools/mutate.py --sample 300 --seed 7 chunks/store chunks/edits
                                                        300 mutants of two folders, the same ones for the same seed
  tools/mutate.py --quick --sample 300 chunks/store     a first look at which may survive
  tools/mutate.py --list chunks/edits/pending.c         prints the mutants and runs none

What is mutated, in functions of .c files:
  conditions   of if are forced to true and false, those of while and for to false; operands of && and || likewise; ! is dropped
  operators    < and <=, > and >=, == and !=, && and ||, + and -, += and -= replace each other
  constants    0 becomes 1, n becomes n + 1, true and false replace each other
  statements   calls, assignments, ++, --, return, break and continue are dropped
  arguments    that stand side by side are swapped, if the compiler accepts it
  returns      a void function returns at once; others return true, false, 0, NULL or TRN_RESULT_OK

What is not: assertions, prefetches, minima (A < B ? A : B), sizes of arrays, calls that lock (ThreadSanitizer finds those that
are missing), headers, and kernels for instructions that this CPU lacks. Mutants that do not compile, and those that compile to
the same object code, do not count.

A test that fails, crashes, hangs, or takes ten times its usual CPU time or more than 4 GiB of memory kills a mutant. Tests run their
brief rounds (TERRANE_TEST_BRIEF), or all of them if TERRANE_TEST_FULL is set. TESTS_OF in this file says which tests run.
"""
import argparse
import collections
import datetime
import hashlib
import json
import os
import pathlib
import re
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
PLACE = ROOT / "build" / "mutate"
RESULTS = PLACE / "results.jsonl"
TIMES = PLACE / "times.json"
EQUIVALENT = ROOT / "tests" / "equivalent_mutants.txt"

# Folders of the libraries, and which tests run for their mutants: what their CTest names match from the beginning.
TESTS_OF = {
    "chunks/base": r"base",
    "chunks/array": r"spatial_array",
    "chunks/pool": r"pool|registry",
    "chunks/index": r"chunk_|map_|frustum",
    "chunks/index/map": r"map_",
    "chunks/voxels": r"block_(types|models|data)|voxel|batch|store_batch|edits",
    "chunks/store": r"store",
    "chunks/edits": r"edits|batch|pending|history|store_(batch|faults)",
    "chunks/fluid": r"fluid",
    "chunks/ticks": r"ticks",
    "chunks/physics": r"raycast|body|sweep",
    "chunks/light": r"light|stream_light",
    "chunks/terrain": r"noise|generator|land|terrain",
    "chunks/stream": r"stream",
    "chunks/far": r"far",
    "mesher": r"mesh|visibility",
    "save": r"save",
    "save/import": r"import",
    "save/shared": r"sim|shared_(leases|postgres|conformance|member)",
}
CPU_FLAGS = {"_avx2.c": "avx2", "_avx512.c": "avx512f"}  # of /proc/cpuinfo, by the end of a file's name

QUICK_SECONDS = 1
MEMORY_MAX_KIB = 4 << 20
FILE_MAX_BLOCKS = 1 << 20  # of 512 bytes
SLOWER = 10  # a mutant takes too long if a test takes so many times as long as usual,
CPU_SECONDS_MIN = 2  # and at least so many seconds; or if it hangs:
HANG_SECONDS, HANG_CPU_SECONDS = 10, 0.05  # uses less CPU time than this in so many seconds


# ---- sources -----------------------------------------------------------------------------------------------------------

TOKEN = re.compile(r"\s+|[A-Za-z_]\w*|\.?\d(?:[eEpP][-+]|[\w.])*|->|\+\+|--|<<=|>>=|<<|>>|[-+*/%&|^<>=!]=|&&|\|\||\S")
NAME = re.compile(r"[A-Za-z_]\w*$")
NUMBER = re.compile(r"\d")
HIDDEN = re.compile(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", re.S | re.M)
KEYWORDS = {"if", "else", "for", "while", "do", "switch", "return", "case", "default", "break", "continue", "sizeof", "goto",
            "const", "static", "struct", "union", "enum", "_Atomic", "_Alignas", "_Static_assert"}
OPEN, CLOSE = {"(": ")", "[": "]", "{": "}"}, {")", "]", "}"}
LOCKS = {"trn_mutex_lock", "trn_mutex_unlock"}
SKIPPED_CALLS = re.compile(r"assert|prefetch", re.I)

Token = collections.namedtuple("Token", "text start end")


def blank(text):
    """The text without comments, preprocessor lines and what stands in quotes, character for character."""
    def hide(match):
        found = match.group()
        quote = found[0] if found[0] in "\"'" else " "
        return quote + re.sub(r"[^\n]", " ", found[1:-1]) + quote if quote != " " else re.sub(r"[^\n]", " ", found)

    return HIDDEN.sub(hide, text)


class Function:
    """The body of a function, as tokens, and what the mutations ask about them."""

    def __init__(self, code, signature, start, end):
        words = re.split(r"\(", signature, maxsplit=1)[0].split()
        self.name = words[-1].lstrip("*")
        self.type = re.sub(r"\b(static|inline|extern|[A-Z_]+_API)\b", "", " ".join(words)[:-len(self.name)]).strip()
        self.start = start
        self.tokens = []
        for match in TOKEN.finditer(code, start, end):
            if not match.group().isspace():
                self.tokens.append(Token(match.group(), match.start(), match.end()))
        self.match = {}  # index of a bracket -> index of its partner
        self.outer = [None] * len(self.tokens)  # index of the bracket around a token
        stack = []
        for i, token in enumerate(self.tokens):
            if token.text in CLOSE and stack:
                self.match[i] = stack[-1]
                self.match[stack.pop()] = i
            self.outer[i] = stack[-1] if stack else None
            if token.text in OPEN:
                stack.append(i)
        self.skipped = self.find_skipped()

    def text(self, i):
        return self.tokens[i].text if 0 <= i < len(self.tokens) else ""

    def find_skipped(self):
        """Indices of tokens in assertions and prefetches, and in conditions that decide whether to prefetch."""
        skipped = set()
        for i, token in enumerate(self.tokens):
            if not SKIPPED_CALLS.search(token.text):
                continue
            outer = self.outer[i]
            if self.text(i + 1) == "(" and i + 1 in self.match:
                skipped.update(range(i, self.match[i + 1] + 2))
            elif outer is not None and self.text(outer - 1) == "if":
                skipped.update(range(outer - 1, self.match[outer] + 1))
        return skipped

    def is_smaller_or_greater(self, i):
        """Whether a comparison is that of a minimum or maximum, A < B ? A : B, where < and <= do the same."""
        ends = {",", ";", "?", ":", "=", "return", "&&", "||"}
        first, last = self.operand(i, -1, ends), self.operand(i, 1, ends)
        if self.text(last + 1) != "?":
            return False
        colon = self.operand(last + 1, 1, ends) + 1
        end = self.operand(colon, 1, ends)
        words = [[token.text for token in self.tokens[a:b]]
                 for a, b in ((first, i), (i + 1, last + 1), (last + 2, colon), (colon + 1, end + 1))]
        return sorted(words[:2]) == sorted(words[2:])

    def is_value(self, i):
        """Whether an operand ends at a token, so that an operator follows it."""
        text = self.text(i)
        return text in (")", "]") or bool(NUMBER.match(text)) or (bool(NAME.match(text)) and text not in KEYWORDS)

    def operand(self, i, step, ends):
        """The first or last token of the operand that stands before (step -1) or behind (1) token i."""
        i += step
        while 0 <= i < len(self.tokens):
            text = self.text(i)
            if text in (OPEN if step > 0 else CLOSE):
                i = self.match[i]
            elif text in ends or text in OPEN or text in CLOSE:
                break
            i += step
        return i - step

    def is_label(self, i):
        """Whether the colon at token i ends a label, not a part of ?:."""
        while self.text(i) not in (";", "{", "}", "?"):
            if self.text(i) in ("case", "default"):
                return True
            i -= 1
        return False

    def statement(self, i):
        """The first and last token of the expression statement that begins at token i, or None."""
        before = self.text(i - 1)
        if before == ")":  # of if, for or while
            if self.text(self.match.get(i - 1, 0) - 1) not in ("if", "for", "while"):
                return None
        elif before not in (";", "{", "}", "else") and not (before == ":" and self.is_label(i - 1)):
            return None
        if self.outer[i] is None or self.text(self.outer[i]) != "{":
            return None
        text, behind = self.text(i), self.text(i + 1)
        if text in ("return", "break", "continue"):
            return (i, i + 1) if behind == ";" else None
        if text in LOCKS:
            return None
        if not (text in ("*", "++", "--") or (NAME.match(text) and text not in KEYWORDS)):
            return None
        if NAME.match(text) and not (behind in ("(", ".", "->", "[", "++", "--", "=") or (behind[1:] == "=" and behind[0] in "+-*/%&|^")):
            return None
        end = i
        while self.text(end) != ";":
            if self.text(end) in ("{", "}", "") or (self.text(end) in OPEN and end not in self.match):
                return None  # an initialiser in a declaration, or a macro that holds statements
            end = self.match[end] + 1 if self.text(end) in OPEN else end + 1
        return i, end


Mutant = collections.namedtuple("Mutant", "file function line start end text before after kind nth")


class Source:
    """A C file and its mutants."""

    def __init__(self, file):
        self.file = file
        self.text = (ROOT / file).read_text(encoding="utf-8")
        self.hash = hashlib.sha256(self.text.encode()).hexdigest()[:16]
        self.code = blank(self.text)
        self.changes = {}  # (start, end, text) -> kind
        self.mutants = []
        for match in re.finditer(r"^\{$", self.code, re.M):
            end = self.code.find("\n}", match.start())
            signature = re.search(r"(?:^|[;}])\s*([^;{}]*\))\s*$", self.code[:match.start()])
            if end >= 0 and signature and "prefetch" not in signature.group(1).split("(")[0]:
                self.mutate_function(Function(self.code, signature.group(1), match.start(), end + 2))

    def add(self, function, kind, first, last, text):
        """A mutant that replaces tokens first to last."""
        self.add_at(function, kind, function.tokens[first].start, function.tokens[last].end, text)

    def add_at(self, function, kind, start, end, text):
        text += "\n" * (self.text.count("\n", start, end) - text.count("\n"))  # assertions know their lines
        if self.text[start:end] == text or (start, end, text) in self.changes:
            return
        self.changes[(start, end, text)] = kind
        first = self.text.rfind("\n", 0, start) + 1
        last = self.text.find("\n", end)
        before = " ".join(self.text[first:last].split())
        after = " ".join((self.text[first:start] + text + self.text[end:last]).split())
        nth = sum(m.before == before and m.after == after and m.function == function.name for m in self.mutants)
        line = self.text.count("\n", 0, start) + 1
        self.mutants.append(Mutant(self.file, function.name, line, start, end, text, before, after, kind, nth))

    def mutate_function(self, function):
        if function.type == "void" and len(function.tokens) > 2:
            self.add_at(function, "return", function.start + 1, function.start + 1, " return;")
        for i, token in enumerate(function.tokens):
            if i in function.skipped:
                continue
            text = token.text
            if text in ("if", "while", "for"):
                self.mutate_condition(function, i)
            elif text in ("&&", "||"):
                self.mutate_operands(function, i)
            elif text == "return":
                self.mutate_return(function, i)
            self.mutate_operator(function, i)
            self.mutate_constant(function, i)
            self.mutate_call(function, i)
            statement = function.statement(i)
            if statement and text != "return" or statement and function.type == "void":
                self.add(function, "statement", *statement, ";")

    def mutate_condition(self, function, i):
        if function.text(i + 1) != "(":
            return
        first, last = i + 2, function.match[i + 1] - 1
        if function.text(i) == "for":
            ends = [j for j in range(first, last + 1) if function.text(j) == ";" and function.outer[j] == i + 1]
            if len(ends) != 2 or ends[1] - ends[0] < 2:
                return
            first, last = ends[0] + 1, ends[1] - 1
        if function.text(first) in ("true", "false") and first == last:
            return
        self.add(function, "condition", first, last, "false")
        if function.text(i) == "if":
            self.add(function, "condition", first, last, "true")

    def mutate_operands(self, function, i):
        text = function.text(i)
        ends = {",", ";", "?", ":", "=", "return", "||", "|=", "&="} | ({"&&"} if text == "&&" else set())
        value = "true" if text == "&&" else "false"
        for first, last in ((function.operand(i, -1, ends), i - 1), (i + 1, function.operand(i, 1, ends))):
            if first <= last:
                self.add(function, "condition", first, last, value)

    def mutate_return(self, function, i):
        ends = [j for j in range(i, len(function.tokens)) if function.text(j) == ";" and function.outer[j] == function.outer[i]]
        if not ends or ends[0] - i < 2:
            return
        kind = function.type.split()[-1] if function.type else ""
        values = {"bool": ["true", "false"], "TrnResult": ["TRN_RESULT_OK"], "size_t": ["0"], "int": ["0"], "double": ["0"],
                  "float": ["0"]}.get(kind, [])
        if re.match(r"u?int\d+_t$", kind):
            values = ["0"]
        elif kind.endswith("*"):
            values = ["NULL"]
        if function.text(i + 1) not in values or ends[0] - i > 2:
            for value in values:
                if ends[0] - i > 2 or value not in ("true", "false"):  # a single constant is mutated as such
                    self.add(function, "return", i + 1, ends[0] - 1, value)

    def mutate_operator(self, function, i):
        text = function.text(i)
        other = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "==", "&&": "||", "||": "&&", "+=": "-=",
                 "-=": "+="}.get(text)
        if text in ("<", "<=", ">", ">=") and function.is_smaller_or_greater(i):
            return
        if text in ("+", "-") and function.is_value(i - 1):
            other = "-" if text == "+" else "+"
        if other:
            self.add(function, "operator", i, i, other)
        elif text == "!":
            self.add(function, "condition", i, i, "")

    def mutate_constant(self, function, i):
        text = function.text(i)
        if text in ("true", "false"):
            self.add(function, "constant", i, i, "false" if text == "true" else "true")
        elif NUMBER.match(text) and not self.is_array_size(function, i):
            plain = re.match(r"(\d+)([uUlL]*)$", text)
            is_octal = plain and len(plain.group(1)) > 1 and text.startswith("0")
            more = f"{int(plain.group(1)) + 1}{plain.group(2)}" if plain and not is_octal else f"({text} + 1)"
            self.add(function, "constant", i, i, more)

    @staticmethod
    def is_array_size(function, i):
        """Whether a number is the size in a declaration: TYPE NAME[NUMBER]."""
        return function.text(i - 1) == "[" and bool(NAME.match(function.text(i - 3))) and function.text(i - 3) not in KEYWORDS \
            and bool(NAME.match(function.text(i - 2)))

    def mutate_call(self, function, i):
        """Swaps arguments that stand side by side."""
        name = function.text(i)
        if not NAME.match(name) or name in KEYWORDS or function.text(i + 1) != "(" or re.search(r"(?:^|_)(?:min|max|memcmp)(?:_|$)", name):
            return
        commas = [j for j in range(i + 2, function.match[i + 1]) if function.text(j) == "," and function.outer[j] == i + 1]
        edges = [i + 1] + commas + [function.match[i + 1]]
        for a, b, c in zip(edges, edges[1:], edges[2:]):
            left = self.text[function.tokens[a + 1].start:function.tokens[b - 1].end]
            right = self.text[function.tokens[b + 1].start:function.tokens[c - 1].end]
            constant = re.compile(r"[-\d\"']|(?:NULL|true|false)$")
            if left != right and not (constant.match(left) and constant.match(right)):
                self.add(function, "arguments", a + 1, c - 1, f"{right}, {left}")


def mutant_key(mutant):
    return f"{mutant.file}|{mutant.function}|{mutant.before}|{mutant.after}|{mutant.nth}"


def mutants_of(files):
    """All mutants of some files, and the files: name -> Source."""
    sources = {file: Source(file) for file in files}
    return [mutant for source in sources.values() for mutant in source.mutants], sources


def sampled(mutants, seed):
    """The mutants in an order that the seed decides. A change of one function leaves the order of the others."""
    return sorted(mutants, key=lambda mutant: hashlib.sha256(f"{seed}|{mutant_key(mutant)}".encode()).digest())


# ---- equivalent mutants ------------------------------------------------------------------------------------------------

def read_equivalent():
    """The list of equivalent mutants: (file, function, before, after) -> reason."""
    known = {}
    if not EQUIVALENT.exists():
        return known
    place, before, after = None, "", ""
    for number, line in enumerate(EQUIVALENT.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        if line.startswith("- "):
            before = line[2:].strip()
        elif line.startswith("+ ") or line == "+":
            after = line[2:].strip()
        elif line.startswith("  ") and place:
            key = (*place, before, after)
            known[key] = f"{known[key]} {line.strip()}" if key in known else line.strip()
        elif len(line.split()) == 2:
            place = tuple(line.split())
        else:
            sys.exit(f"{EQUIVALENT.relative_to(ROOT)}:{number}: expected 'FILE FUNCTION', '- BEFORE', '+ AFTER' or an indented reason.")
    return known


def equivalent_key(mutant):
    return mutant.file, mutant.function, mutant.before, mutant.after


# ---- scratch trees -----------------------------------------------------------------------------------------------------

def run_quietly(command, **more):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **more)


def copy_sources(to):
    """Copies the working tree, uncommitted changes included. A file that has not changed keeps its time."""
    names = subprocess.check_output(["git", "-C", ROOT, "ls-files", "-coz", "--exclude-standard"], text=True).split("\0")
    names = {name for name in names if name and not name.endswith(".png") and (ROOT / name).is_file()}
    for name in names:
        source, copy = ROOT / name, to / name
        if not copy.exists() or source.read_bytes() != copy.read_bytes():
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(source, copy)
    for old in (path for path in to.rglob("*") if path.is_file()):
        if str(old.relative_to(to)) not in names:
            old.unlink()


class Tree:
    """A copy of the sources and its build, where one mutant at a time is tried."""

    def __init__(self, number):
        self.source = PLACE / str(number) / "source"
        self.build = PLACE / str(number) / "build"
        # Trees share what ccache has.
        self.environment = dict(os.environ, CCACHE_BASEDIR=str(PLACE / str(number)), TERRANE_TEST_BRIEF="1")
        self.objects = {}  # file -> path of its object in the library
        self.original = {}  # file -> hash of the object that is not mutated

    def prepare(self):
        self.source.mkdir(parents=True, exist_ok=True)
        copy_sources(self.source)
        off = [f"-DTERRANE_BUILD_{part}=OFF" for part in ("VIEWER", "TOOLS", "BENCH", "EXAMPLES")]
        cached = ["-DCMAKE_C_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []  # for files that are restored
        # Optimised, assertions on, no debug information: quick to link and run. A mutant may leave warnings behind, but
        # arguments of different types are not swapped.
        command = ["cmake", "-G", "Ninja", "-S", self.source, "-B", self.build, "-DCMAKE_BUILD_TYPE=RelWithDebInfo",
                   "-DCMAKE_C_FLAGS_RELWITHDEBINFO=-O2", "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O0", "-DTERRANE_INSTALL=OFF",
                   "-DCMAKE_C_FLAGS=-Werror=incompatible-pointer-types -Werror=int-conversion -Werror=discarded-qualifiers",
                   "-DTERRANE_BUILD_TESTS=ON", "-DTERRANE_BUILD_SAVE=ON", "-DCMAKE_EXPORT_COMPILE_COMMANDS=ON", *off, *cached]
        if shutil.which("ld.gold"):
            command.append("-DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=gold")
        done = run_quietly(command, env=self.environment)
        if done.returncode:
            sys.exit(f"mutate.py: cmake failed:\n{done.stdout}")
        with open(self.build / "compile_commands.json", encoding="utf-8") as commands:
            for entry in json.load(commands):
                words = shlex.split(entry["command"])
                output = words[words.index("-o") + 1]
                if re.match(r"(chunks|mesher|save)/(\w+/)?CMakeFiles/terrane_\w+_static\.dir/", output):
                    self.objects[os.path.relpath(entry["file"], self.source)] = output

    def ninja(self, *targets, jobs=1):
        return run_quietly(["ninja", "-C", self.build, "-j", str(jobs), *targets], env=self.environment)

    def hash_object(self, file):
        return hashlib.sha256((self.build / self.objects[file]).read_bytes()).hexdigest()

    def build_tests(self, tests):
        done = self.ninja(*(f"test_{test.name}" for test in tests), jobs=os.cpu_count())
        if done.returncode:
            sys.exit(f"mutate.py: the build without a mutant failed:\n{done.stdout[-3000:]}")
        for test in tests:
            test.program = next(self.build.glob(f"tests/**/test_{test.name}")).relative_to(self.build)

    def write(self, mutant, text):
        """Applies a mutant. Returns 'built', 'not compiled' or 'same code'.

        text  the file without the mutant
        """
        if mutant.file not in self.original:
            self.ninja(self.objects[mutant.file])
            self.original[mutant.file] = self.hash_object(mutant.file)
        (self.source / mutant.file).write_text(text[:mutant.start] + mutant.text + text[mutant.end:], encoding="utf-8")
        if self.ninja(self.objects[mutant.file]).returncode:
            return "not compiled"
        return "same code" if self.hash_object(mutant.file) == self.original[mutant.file] else "built"

    def restore(self, mutant, text):
        (self.source / mutant.file).write_text(text, encoding="utf-8")


# ---- tests -------------------------------------------------------------------------------------------------------------

class Test:
    def __init__(self, name):
        self.name = name
        self.program = None  # below the build
        self.hash = ""  # of the program without a mutant, and so of all that is linked into it
        self.cpu = 0.0  # seconds without a mutant


def find_tests(tree, folders):
    shown = json.loads(subprocess.check_output(["ctest", "--test-dir", tree.build, "--show-only=json-v1"], text=True))
    targets = tree.ninja("-t", "targets", "all").stdout
    names = [test["name"] for test in shown["tests"] if f"\ntest_{test['name']}: " in targets]  # others are scripts
    return [Test(name) for name in names if any(re.match(TESTS_OF[folder], name) for folder in folders)]


def cpu_seconds(process):
    """CPU seconds that all threads of a process have used so far."""
    try:
        fields = pathlib.Path(f"/proc/{process}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    except OSError:
        return 0.0


def wait_for(process):
    """Waits for a child, and kills it if it hangs: if it uses next to no CPU time. How long it waits for a CPU does not
    matter, so a busy machine kills no mutant. Returns (status, usage)."""
    seen, since, pause = 0.0, time.monotonic(), 0.002
    while True:
        done, status, usage = os.wait4(process, os.WNOHANG)
        if done:
            return status, usage
        time.sleep(pause)
        pause = min(2 * pause, 0.1)
        if time.monotonic() - since >= HANG_SECONDS:
            cpu = cpu_seconds(process)
            if cpu - seen < HANG_CPU_SECONDS:
                os.killpg(process, signal.SIGKILL)
            seen, since = cpu, time.monotonic()


def run_test(tree, test, cpu_max):
    """Runs a test within limits. Returns its verdict and CPU seconds."""
    # -d counts memory that can be written; ranges that the index and the voxels only reserve are free.
    limits = f"ulimit -t {cpu_max} && ulimit -d {MEMORY_MAX_KIB} && ulimit -f {FILE_MAX_BLOCKS} && ulimit -c 0"
    child = subprocess.Popen(["sh", "-c", f'{limits} && exec "$0"', tree.build / test.program], cwd=tree.build,
                             env=tree.environment, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                             stderr=subprocess.DEVNULL, start_new_session=True)
    status, usage = wait_for(child.pid)
    child.returncode = os.waitstatus_to_exitcode(status)  # or Popen would wait for it
    is_late = -child.returncode in (signal.SIGXCPU, signal.SIGKILL)
    verdict = "timed out" if is_late else "killed" if child.returncode else "survived"
    return verdict, usage.ru_utime + usage.ru_stime


class Tests:
    """The tests of the folders that are mutated, and which of them have killed what."""

    def __init__(self, tests):
        self.tests = tests
        self.lock = threading.Lock()
        self.kills = collections.Counter()  # (test, file or folder) -> kills

    def learn(self, file, name):
        with self.lock:
            self.kills[(name, file)] += 1
            self.kills[(name, os.path.dirname(file))] += 1

    def measure(self, tree, cpu_max):
        """Runs the tests without a mutant, unless an earlier run has; all must pass.

        cpu_max  seconds: tests that took longer in an earlier run need not pass, since they will not run
        """
        times = json.loads(TIMES.read_text(encoding="utf-8")) if TIMES.exists() else {}
        for number, test in enumerate(self.tests, 1):
            test.hash = hashlib.sha256((tree.build / test.program).read_bytes()).hexdigest()[:16]
            known, test.cpu = times.get(test.name, ("", 0.0))
            if known == test.hash or test.cpu > cpu_max:
                continue
            show(f"{number}/{len(self.tests)} {test.name}, without a mutant")
            verdict, test.cpu = run_test(tree, test, 600)
            if verdict != "survived":
                sys.exit(f"\nmutate.py: {test.name} fails without any mutant. Make it pass first: {tree.build / test.program}")
            times[test.name] = test.hash, test.cpu
            TIMES.write_text(json.dumps(times), encoding="utf-8")

    def ordered(self, file):
        """The tests for a mutant of a file: first those that are quick and have killed its neighbours."""
        folder = os.path.dirname(file)
        subject = re.sub(r"^(store|stream|voxel|chunk|page)_", "", pathlib.Path(file).stem)

        def worth(test):
            with self.lock:
                kills = 0.2 + 2 * self.kills[(test.name, file)] + 0.2 * self.kills[(test.name, folder)]
            near = 3 if subject in test.name else 1
            return kills * near / (test.cpu + 0.2)

        return sorted((test for test in self.tests if re.match(TESTS_OF[folder], test.name)), key=worth, reverse=True)


# ---- the run -----------------------------------------------------------------------------------------------------------

def show(text):
    """A line of progress, which the next one replaces on a terminal."""
    if sys.stdout.isatty():
        print(f"\r\033[K{text}", end="", flush=True)
    else:
        print(text, flush=True)


class Run:
    """Tries mutants until as many as wanted have counted."""

    def __init__(self, mutants, sources, wanted, tests, cpu_max):
        self.waiting = collections.deque(mutants)
        self.sources = sources
        self.wanted = wanted
        self.tests = tests
        self.cpu_max = cpu_max  # seconds of a test that may run
        self.lock = threading.Lock()
        self.equivalent = read_equivalent()
        self.known = self.read_results()
        self.verdicts = []  # (mutant, result) in the order of their ends
        self.running = 0
        self.begun = time.monotonic()
        self.tried = 0  # counted mutants that this run tried itself

    def read_results(self):
        """Earlier results for files that have not changed: key of a mutant -> result."""
        known = {}
        if RESULTS.exists():
            for line in RESULTS.read_text(encoding="utf-8").splitlines():
                result = json.loads(line)
                file = result["mutant"].split("|", 1)[0]
                if file in self.sources and self.sources[file].hash == result["hash"]:
                    known[result["mutant"]] = result
                    if "test" in result:
                        self.tests.learn(file, result["test"])
        return known

    def tests_left(self, mutant):
        """The tests that the mutant has not survived yet, as they are now."""
        survived = self.known.get(mutant_key(mutant), {}).get("survived", {})
        return [test for test in self.tests.ordered(mutant.file)
                if survived.get(test.name) != test.hash and test.cpu <= self.cpu_max]

    def counted(self):
        return sum(result["verdict"] in ("killed", "timed out", "survived", "equivalent") for _, result in self.verdicts)

    def take(self):
        """The next mutant that must be tried, or None."""
        while True:
            with self.lock:
                if not self.waiting or self.counted() >= self.wanted:
                    return None
                if self.counted() + self.running < self.wanted:
                    mutant = self.waiting.popleft()
                    known = self.known.get(mutant_key(mutant))
                    if equivalent_key(mutant) in self.equivalent:
                        known = {"verdict": "equivalent"}
                    if not known or (known["verdict"] == "survived" and self.tests_left(mutant)):
                        self.running += 1
                        return mutant
                    self.verdicts.append((mutant, known))
                    continue
            time.sleep(0.2)  # those that run may not count

    def give(self, mutant, result):
        result.update(mutant=mutant_key(mutant), hash=self.sources[mutant.file].hash)
        with self.lock:
            with open(RESULTS, "a", encoding="utf-8") as file:
                file.write(json.dumps(result) + "\n")
            self.verdicts.append((mutant, result))
            self.running -= 1
            counts = collections.Counter(result["verdict"] for _, result in self.verdicts)
            counted = self.counted()
            self.tried += result["verdict"] in ("killed", "timed out", "survived")
            left = min(self.wanted - counted, len(self.waiting)) * (time.monotonic() - self.begun) / max(self.tried, 1)
            total = min(self.wanted, counted + len(self.waiting))
        if result["verdict"] == "survived":
            show(f"survived: {mutant.file}:{mutant.line} {mutant.before}  ->  {mutant.after}")
            if sys.stdout.isatty():
                print()
        show(f"{counted}/{total}: {counts['killed'] + counts['timed out']} killed, {counts['survived']} survived, "
             f"about {left / 60:.0f} min left")

    def try_mutant(self, tree, mutant):
        text = self.sources[mutant.file].text
        try:
            built = tree.write(mutant, text)
            if built != "built":
                return {"verdict": built}
            left = self.tests_left(mutant)
            for test in left:
                if tree.ninja(f"test_{test.name}").returncode:
                    return {"verdict": "not compiled"}
                cpu_max = max(CPU_SECONDS_MIN, round(SLOWER * test.cpu))
                verdict = run_test(tree, test, cpu_max)[0]
                if verdict != "survived":
                    self.tests.learn(mutant.file, test.name)
                    return {"verdict": verdict, "test": test.name}
            survived = dict(self.known.get(mutant_key(mutant), {}).get("survived", {}))
            survived.update((test.name, test.hash) for test in left)
            return {"verdict": "survived", "survived": survived}
        finally:
            tree.restore(mutant, text)

    def work(self, tree):
        while (mutant := self.take()) is not None:
            self.give(mutant, self.try_mutant(tree, mutant))


# ---- report ------------------------------------------------------------------------------------------------------------

def report_of(verdicts):
    """The results as Markdown, and whether a mutant survived."""
    folders = collections.defaultdict(collections.Counter)
    for mutant, result in verdicts:
        for name in (os.path.dirname(mutant.file), "all"):
            folders[name][result["verdict"]] += 1
    lines = ["| folder | mutants | killed | of them timed out | equivalent | survived | killed of those that are not equivalent |",
             "|---|---|---|---|---|---|---|"]
    for folder, count in sorted(folders.items(), key=lambda entry: (entry[0] == "all", entry[0])):
        killed = count["killed"] + count["timed out"]
        real = killed + count["survived"]
        share = f"{100 * killed / real:.0f} %" if real else ""
        lines.append(f"| {folder} | {real + count['equivalent']} | {killed} | {count['timed out']} | {count['equivalent']} | "
                     f"{count['survived']} | {share} |")
    total = folders.get("all", {})
    lines += ["", f"Not counted: {total.get('not compiled', 0)} that do not compile, {total.get('same code', 0)} that compile to the same code."]
    survivors = sorted((mutant for mutant, result in verdicts if result["verdict"] == "survived"), key=lambda m: (m.file, m.line))
    if survivors:
        lines += ["", "Survivors: each needs a test, or a line with a reason in `tests/equivalent_mutants.txt`.", "", "| where | code | mutant |", "|---|---|---|"]
    for mutant in survivors:
        before, after = (part.replace("|", r"\|") for part in (mutant.before, mutant.after))
        lines.append(f"| `{mutant.file}:{mutant.line}` `{mutant.function}` | `{before}` | `{after}` |")
    return "\n".join(lines), bool(survivors)


def write_report(text, count):
    commit = subprocess.check_output(["git", "-C", ROOT, "rev-parse", "--short=12", "HEAD"], text=True).strip()
    command = " ".join(word for word in sys.argv[1:] if word != "--write")
    head = ("# Results: mutation check\n\n`tools/mutate.py --write` writes this file. [Testing](../testing.md#mutation-check) says what a mutant is.\n\n"
            f"{datetime.date.today()}, commit {commit}: `tools/mutate.py {command}`, of {count} mutants.\n\n")
    (ROOT / "docs/results/mutants.md").write_text(head + text + "\n", encoding="utf-8")


def warn_of_stale(mutants, sources, equivalent):
    known = {equivalent_key(mutant) for mutant in mutants}
    for file, function, before, after in equivalent:
        if file in sources and (file, function, before, after) not in known:
            print(f"mutate.py: tests/equivalent_mutants.txt lists a mutant that {file} does not have: {function}: {before} -> {after}",
                  file=sys.stderr)


# ---- arguments ---------------------------------------------------------------------------------------------------------

def is_mutable(file):
    flag = next((flag for end, flag in CPU_FLAGS.items() if file.endswith(end)), None)
    if flag:
        try:
            return flag in pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8").split()
        except OSError:
            return False
    return file.endswith(".c") and os.path.dirname(file) in TESTS_OF


def wanted_files(args):
    if args.since:
        if run_quietly(["git", "-C", ROOT, "rev-parse", "--quiet", "--verify", f"{args.since}^{{commit}}"]).returncode:
            sys.exit(f"mutate.py: there is no commit '{args.since}'.")
        changed = subprocess.check_output(["git", "-C", ROOT, "diff", "--name-only", "--diff-filter=d", args.since], text=True)
        named = changed.split()
    else:
        named = []
    for path in args.paths:
        path = os.path.relpath(os.path.abspath(path), ROOT)
        if os.path.isdir(ROOT / path):
            named += sorted(f"{path}/{name}" for name in os.listdir(ROOT / path))
        elif not os.path.isfile(ROOT / path):
            sys.exit(f"mutate.py: there is no file or folder '{path}'.")
        elif not is_mutable(path):
            sys.exit(f"mutate.py: '{path}' cannot be mutated; give .c files of: {', '.join(TESTS_OF)}.")
        else:
            named.append(path)
    return [file for file in dict.fromkeys(named) if is_mutable(file)]


def read_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("paths", nargs="*", metavar="FILE|FOLDER", help="sources of the libraries")
    parser.add_argument("--since", metavar="REV", help="the sources that changed since a commit, uncommitted changes included")
    parser.add_argument("--sample", type=int, metavar="N", help="N mutants that count, drawn at random; otherwise all")
    parser.add_argument("--seed", default="1", help="of the sample (default: 1); a larger sample of the same seed begins alike")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="N",
                        help="mutants at a time, each in a build of its own of some 100 MB (default: one a CPU)")
    parser.add_argument("--quick", action="store_true", help="run only tests that take up to one CPU second; a run without it "
                        "then tries the survivors with the others")
    parser.add_argument("--write", action="store_true", help="also write the results into docs/results/mutants.md")
    parser.add_argument("--list", action="store_true", help="print the mutants and stop")
    args = parser.parse_args()
    if not args.paths and not args.since:
        parser.error("name files or folders, or --since REV. Try: tools/mutate.py --help")
    if args.jobs < 1 or (args.sample is not None and args.sample < 1):
        parser.error("--jobs and --sample need a number above 0.")
    return args


def main():
    args = read_arguments()
    files = wanted_files(args)
    mutants, sources = mutants_of(files)
    if not mutants:
        print("mutate.py: nothing to mutate.")
        return 0
    if args.sample:
        mutants = sampled(mutants, args.seed)
    if args.list:
        for mutant in mutants[:args.sample]:
            print(f"{mutant.file}:{mutant.line} {mutant.kind}: {mutant.before}  ->  {mutant.after}")
        return 0
    how = f"a sample of {args.sample}, seed {args.seed}, of" if args.sample else "all of"
    print(f"mutate.py: {how} {len(mutants)} mutants in {len(files)} files. Results: {RESULTS.relative_to(ROOT)}", flush=True)
    trees = [Tree(number) for number in range(min(args.jobs, len(mutants)))]
    for tree in trees:
        tree.prepare()
    tests = Tests(find_tests(trees[0], {os.path.dirname(file) for file in files}))
    for number, tree in enumerate(trees, 1):
        show(f"building {len(tests.tests)} tests, {number}/{len(trees)}")
        tree.build_tests(tests.tests)
    cpu_max = QUICK_SECONDS if args.quick else float("inf")
    tests.measure(trees[0], cpu_max)
    run = Run(mutants, sources, args.sample or len(mutants), tests, cpu_max)
    warn_of_stale(mutants, sources, run.equivalent)
    workers = [threading.Thread(target=run.work, args=(tree,), daemon=True) for tree in trees]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    text, has_survivors = report_of(run.verdicts)
    print("\n" + text)
    if args.write:
        write_report(text, len(mutants))
    return 1 if has_survivors else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit("\nmutate.py: stopped. The same command goes on from here.")
