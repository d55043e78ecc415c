#!/usr/bin/env python3
"""Checks the public surface: who calls each function, which tier it has, and that docs/api.md says so.

  Calls   Each public function (TRN_API or inline in */include/terrane/*.h) is called by a program, an example, a package or
          another file of a library. Tests and the C++ wrapper do not count. A function that nobody needs becomes private, or is
          deleted, or gets an example that needs it.
  Tiers   The first comment of each public header ends with a line "Tier: stable.", "Tier: experimental." or "Tier: core.".
          "Core: NAME, NAME." and "Experimental: NAME." after it name functions of the header that have another tier. A header of
          C++ has the tier of the functions that it calls. The core has the functions of 0.3.0, with their declarations.
  Docs    docs/api.md has a row for each core function with its declaration, and one for each header with its tier.
          terrane/terrane.h includes the headers with core functions, and the program of the README calls only core functions. Those
          of docs/getting-started.md call no experimental ones.
          Headers of terrane/private/ have no tier: they are there for inline functions alone.
  Errors  The comment of each public function that returns a TrnResult says which: under "Errors" or "@return", as another function
          does, or in "Errors of all" of its section or header. It names each result that the function's own body returns.
  Costs   Comments of public headers give complexity, bytes and ratios, never times of a machine: those stand in tables of the
          guides, which tools/bench_tables.py writes with processor and commit. Budgets and delays in ms are settings, not costs.

Prints each fault with its file and exits with 1 if there is one. Usage: tools/check_surface.py
"""
import collections
import hashlib
import re
import sys

from public_headers import TIERS, code_of, listed, prose, public_headers, read

CORE_FROZEN = "d85ed8b8cbadfc8e"  # begins the SHA-256 of the core's declarations, by name, as 0.3.0 has them
LIBRARIES = ("chunks", "mesher", "save")
CORE_HEADER = "terrane.h"

# Functions that need no caller, each with the reason.
UNCALLED = {
    "trn_cursor_move": "trn_cursor_find, which is inline, calls it",
    "trn_snapshot_opaque": "the twin of trn_snapshot_solid, which the viewer's debris calls",
    "trn_import_source": "games that stream a foreign world need it; programs import whole worlds",
    "trn_import_list": "games that stream a foreign world need it to know what there is; programs import whole worlds",
}

faults = []


def fault(path, sentence):
    faults.append(f"{path}: {sentence}")


# ---- who calls ---------------------------------------------------------------------------------------------------------


def check_callers(headers):
    home = {name: header for header in headers for name in header.functions}
    uses = collections.Counter()
    for path in listed("*.c", "*.h", "*.cpp", "*.hpp", "*.js", "*.mjs"):
        if path.startswith("tests/") or (path.endswith(".hpp") and "/include/" in path):
            continue
        for name in re.findall(r"\btrn_\w+", code_of(read(path))):
            if name in home and path != home[name].path:
                uses[name] += 1
    for name, header in sorted(home.items()):
        definitions = 0 if name in header.inline else 1
        if uses[name] <= definitions and name not in UNCALLED:
            fault(header.path, f"no program, example, package or other part calls {name}.")
    for name in UNCALLED:
        if name not in home:
            fault("tools/check_surface.py", f"its exception {name} is not a public function.")


# ---- errors ------------------------------------------------------------------------------------------------------------

RESULTS = re.compile(r"\b(" + "|".join(re.findall(r"TRN_RESULT_(\w+)", read("chunks/include/terrane/base.h").split("typedef enum")[1].split("}")[0])) + r")\b")


class Errors:
    """What a header says of the errors of its functions."""

    def __init__(self, path):
        self.path, text = path, read(path)
        self.comments, self.fallible = {}, {}
        first = prose(re.match(r"(?:///[^\n]*\n)*", text)[0])
        for match in re.finditer(r"((?:^///[^\n]*\n)*)^(?:TRN_API|static inline)\s([^;{}()]*?)\b(trn_\w+)\s*\(", text, re.M):
            self.comments[match[3]] = prose(match[1])
            if match[2].strip() == "TrnResult":
                section = prose(text[max(0, text.rfind("\n// ----", 0, match.start())):match.start()])
                self.fallible[match[3]] = "".join(re.findall(r"Errors of all.*?(?:\.(?= [A-Z])|$)", first + " " + section))


def results_named(name, comments, general, seen):
    """The results that comments name for a function, also by naming another: "as trn_stream_save()"."""
    text = comments.get(name, "") + " " + general.get(name, "")
    found = set(RESULTS.findall(text))
    for other in re.findall(r"(?:\b[Aa]s|of|and) (trn_\w+)", text):
        if other not in seen:
            found |= results_named(other, comments, general, seen | {other})
    return found


def results_returned(body):
    """The results that a body returns by name; what it compares with is none of them."""
    body = re.sub(r"[=!]= TRN_RESULT_\w+", "", body)
    return set(re.findall(r"TRN_RESULT_(\w+)", " ".join(re.findall(r"(?:\breturn\b|result = )([^;]*);", body)))) - {"OK"}


def check_errors():
    errors = [Errors(path) for path in listed("*/include/terrane/*.h")]
    comments = {name: text for one in errors for name, text in one.comments.items()}
    general = {name: text for one in errors for name, text in one.fallible.items()}
    home = {name: one.path for one in errors for name in one.fallible}
    for name, path in home.items():
        says = general[name] or re.search(r"\b[Ee]rrors\b|@return|\b[Aa]s trn_", comments[name])
        if not says:
            fault(path, f"does not say which results {name} returns.")
    for path in listed(*(f"{library}/*.[ch]" for library in LIBRARIES)):
        for match in re.finditer(r"^(?:static inline )?TrnResult (trn_\w+)\([^;{]*\)\s*\{(.*?)^\}", code_of(read(path)), re.M | re.S):
            if match[1] in home:
                for result in sorted(results_returned(match[2]) - results_named(match[1], comments, general, {match[1]})):
                    fault(home[match[1]], f"does not say that {match[1]} may return {result}.")


# ---- costs -------------------------------------------------------------------------------------------------------------


def check_costs():
    for path in listed("*/include/terrane/*.h", "*/include/terrane/*.hpp"):
        for comment in re.finditer(r"(?:^[ \t]*//[^\n]*\n)+|//[^\n]*\n", read(path), re.M):
            text = re.sub(r"\s*\n\s*//+[/<]? ?", " ", comment[0])
            cost = re.search(r"\bCost\b.*", text)
            time = re.search(r"\b(?:\d|few|some|tens of|hundred) ?(?:[nuµ]s|(?:nano|micro)seconds)\b", text) or \
                (cost and re.search(r"\d ?(?:ms|milliseconds)\b", cost[0]))
            if time:
                fault(path, f'its comment promises a time ("{text[max(0, time.start() - 40):time.end()].strip()}").')


# ---- documents ---------------------------------------------------------------------------------------------------------


def check_core(headers):
    core = {name: header for header in headers for name, tier in header.tiers.items() if tier == "core"}
    declared = "\n".join(header.functions[name] for name, header in sorted(core.items()))
    digest = hashlib.sha256(declared.encode()).hexdigest()
    if not digest.startswith(CORE_FROZEN):
        fault("docs/api.md", f"the core is frozen since 0.3.0, and its declarations have changed ({digest[:16]}).")
    wanted = sorted({header.name for header in core.values()})
    for header in headers:
        if header.name == CORE_HEADER and header.includes != wanted:
            fault(header.path, f"includes {', '.join(header.includes)}; the core's headers are {', '.join(wanted)}.")
    program = "\n".join(re.findall(r"```c\n(.*?)```", read("README.md"), re.S))
    for name in sorted(set(re.findall(r"\btrn_\w+(?=\()", program)) - set(core)):
        fault("README.md", f"its program calls {name}, which is not core.")
    experimental = {name for header in headers for name, tier in header.tiers.items() if tier == "experimental"}
    for name in sorted(experimental.intersection(re.findall(r"\btrn_\w+(?=\()", read("docs/getting-started.md")))):
        fault("docs/getting-started.md", f"calls {name}, which is experimental.")
    return core


def check_page(headers, core):
    page = read("docs/api.md")
    rows = {match[2]: match[1] for match in re.finditer(r"^\| `([^`|]*?\b(trn_\w+)\([^`]*)`", page, re.M)}
    for name, header in sorted(core.items()):
        if name not in rows:
            fault("docs/api.md", f"its table of the core lacks {name}.")
        elif rows[name] != header.functions[name]:
            fault("docs/api.md", f"declares `{rows[name]}`; {header.name} says `{header.functions[name]}`.")
    for name in sorted(set(rows) - set(core)):
        fault("docs/api.md", f"its table of the core has {name}, which is not core.")
    for header in headers + public_headers("hpp"):
        row = re.search(rf"^\| \[[\w/.]*\]\(\.\./{re.escape(header.path)}\) \| ([\w, ]+) \|", page, re.M)
        tiers = [tier for tier in TIERS if tier == header.tier or tier in header.tiers.values()]
        expected = "as C" if header.name.endswith(".hpp") else ", ".join(tiers)
        if not row:
            fault("docs/api.md", f"lists no header {header.path}.")
        elif row[1] != expected:
            fault("docs/api.md", f"gives {header.name} the tier \"{row[1]}\"; it says \"{expected}\".")


def main():
    headers = public_headers()
    for header in headers + public_headers("hpp"):
        faults.extend(f"{header.path}: {sentence}" for sentence in header.faults)
    check_callers(headers)
    check_errors()
    check_costs()
    core = check_core(headers)
    check_page(headers, core)
    print("\n".join(faults) if faults else
          f"{sum(len(header.functions) for header in headers)} public functions, {len(core)} of them core, in {len(headers)} headers.")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
