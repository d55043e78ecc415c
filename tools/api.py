#!/usr/bin/python3
"""Writes packaging/api/terrane.json, the description of the C interface, from the public headers.

usage: tools/api.py [--check]

With --check it writes nothing, and exits with 1 if the file differs from what it would write. Needs Debian's python3-pycparser, which
parses the headers after the C preprocessor; tools/public_headers.py reads their comments.

A name is described once: `constants`, `enums`, `aliases`, `callbacks`, `structs`, `functions`, each in the order of the headers, so that
what is declared first comes first. A type is a name ("int32_t", "TrnStore"), or an object: {"pointer": TYPE}, {"const": TYPE},
{"array": TYPE, "count": N}, or {"function": {"returns": TYPE, "params": [...]}}. A struct without fields is opaque: a handle.
`library` is which library has the function: chunks, mesher, save, import or shared. `inline` functions are in no library.
`default` names the function that returns a struct's default value. `errors`, `threads` and `cost` are taken out of the documentation,
which `doc` has in full.
"""
import json
import os
import re
import subprocess
import sys
import tempfile

from public_headers import ROOT, comment_above, public_headers, read

try:
    from pycparser import c_ast, c_parser
except ImportError:
    sys.exit("api.py: pycparser is missing. Type: apt install python3-pycparser")

PATH = "packaging/api/terrane.json"
INCLUDES = ["chunks/include", "mesher/include", "save/include", "save/import/include", "save/shared/include"]
LIBRARIES = {"chunks": "chunks", "mesher": "mesher", "save": "save", "save/import": "import", "save/shared": "shared"}

# What the headers use of C's own, without the extensions of a system's headers.
INTEGERS = [f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)]
STUBS = {
    "stdint.h": "".join(f"typedef int {name};\n" for name in INTEGERS + ["uintptr_t", "intptr_t"])
                + "".join(f"#define INT{bits}_MAX {2 ** (bits - 1) - 1}LL\n#define INT{bits}_MIN (-{2 ** (bits - 1) - 1}LL - 1)\n"
                          f"#define UINT{bits}_MAX {2 ** bits - 1}ULL\n#define UINT{bits}_C(x) x\n#define INT{bits}_C(x) x\n"
                          for bits in (8, 16, 32, 64)) + "#define SIZE_MAX 18446744073709551615ULL\n",
    "stdbool.h": "typedef int bool;\n#define true 1\n#define false 0\n",
    "stddef.h": "typedef int size_t;\n#define NULL 0\n",
    "string.h": "void *memcpy(); void *memset(); int memcmp(); int strcmp(); int strlen();\n",
}
CONSTANT = re.compile(r"^#\s*define (TRN_\w+)(?: |$)(?!TRN_C_BEGIN)", re.M)
NO_VALUE = {"TRN_API", "TRN_C_BEGIN", "TRN_C_END", "TRN_RESULT_ATTRIBUTE"}


class Bad(Exception):
    pass


# ---- the parser's tree ---------------------------------------------------------------------------------------------------


def parsed(headers):
    """The tree of all public headers, with a variable `value_of_NAME` for each macro that has a value."""
    names = [name for header in headers for name in CONSTANT.findall(read(header.path)) if name not in NO_VALUE]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in STUBS.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        unit = "".join(f"#include <terrane/{header.name}>\n" for header in headers)
        unit += "".join(f"double value_of_{name} = {name};\n" for name in dict.fromkeys(names))
        command = ["cc", "-E", "-undef", "-D__GNUC__=1", "-D__attribute__(x)=", "-D__inline=", "-nostdinc", f"-I{folder}"]
        command += [f"-I{path}" for path in INCLUDES]
        made = subprocess.run(command + ["-x", "c", "-"], input=unit, cwd=ROOT, capture_output=True, text=True)
        if made.returncode != 0:
            sys.exit(f"api.py: the preprocessor failed:\n{made.stderr}")
        text = made.stdout.replace("__extension__", "")
        text = re.sub(r"(?m)^#pragma.*$", "", text)
        return c_parser.CParser().parse(text, filename="unit.c")


def number(node, known):
    """The value of a constant expression."""
    if isinstance(node, c_ast.Constant):
        if node.type == "string":
            return node.value[1:-1]
        if node.type in ("float", "double"):
            return float(node.value.rstrip("fFlL"))
        if node.type == "char":
            return ord(node.value[1:-1])
        return int(re.sub(r"[uUlL]+$", "", node.value), 0)
    if isinstance(node, c_ast.ID) and node.name in known:
        return known[node.name]
    if isinstance(node, c_ast.Cast):
        return number(node.expr, known)
    if isinstance(node, c_ast.UnaryOp) and node.op in "-+~":
        value = number(node.expr, known)
        return {"-": lambda: -value, "+": lambda: value, "~": lambda: ~value}[node.op]()
    if isinstance(node, c_ast.BinaryOp):
        left, right = number(node.left, known), number(node.right, known)
        return {"+": lambda: left + right, "-": lambda: left - right, "*": lambda: left * right, "<<": lambda: left << right,
                ">>": lambda: left >> right, "|": lambda: left | right, "&": lambda: left & right,
                "/": lambda: left // right if isinstance(left, int) else left / right}[node.op]()
    raise Bad(f"{node.coord}: not a constant expression")


def type_of(node, known):
    """A type as the description has it."""
    if isinstance(node, c_ast.TypeDecl):
        base = node.type
        name = " ".join(base.names) if isinstance(base, c_ast.IdentifierType) else base.name
        return {"const": name} if "const" in node.quals else name
    if isinstance(node, c_ast.PtrDecl):
        made = {"pointer": type_of(node.type, known)}
        return {"const": made} if "const" in node.quals else made
    if isinstance(node, c_ast.ArrayDecl):
        return {"array": type_of(node.type, known), "count": number(node.dim, known)}
    if isinstance(node, c_ast.FuncDecl):
        return {"function": {"returns": type_of(node.type, known), "params": params_of(node, known)}}
    raise Bad(f"{node.coord}: no type that this script knows")


def params_of(function, known):
    params = function.args.params if function.args else []
    return [{"name": param.name or "", "type": type_of(param.type, known)} for param in params
            if not (isinstance(param.type, c_ast.TypeDecl) and getattr(param.type.type, "names", None) == ["void"])]


# ---- comments --------------------------------------------------------------------------------------------------------------


class Comments:
    """The comments of declarations, by place."""

    def __init__(self):
        self.files = {}

    def lines(self, path):
        if path not in self.files:
            self.files[path] = read(path).split("\n")
        return self.files[path]

    def of(self, coord):
        """The comment of what begins on a line: behind it, or above."""
        lines, at = self.lines(coord.file), coord.line - 1
        behind = re.search(r"///< ?(.*)$", lines[at])
        if behind:
            return behind[1].strip()
        while at > 0 and re.match(r"[ \w*(]+$", lines[at - 1]) and "//" not in lines[at - 1]:
            at -= 1  # a declaration whose name stands on a later line
        while at > 0 and lines[at - 1].startswith("#"):
            at -= 1
        return "\n".join(comment_above(lines, at))


def parts(comment):
    """What a function's comment says, as (text, {parameter: text}, {part: sentence})."""
    params, text, at = {}, [], None
    for line in comment.split("\n"):
        param = re.match(r"@param (\S+)\s*(.*)", line)
        if param:
            at = param[1].split(",")
            params.update({name: param[2] for name in at})
        elif at and line.startswith("  "):
            params.update({name: f"{params[name]} {line.strip()}".strip() for name in at})
        else:
            at = None
            text.append(line)
    whole = " ".join(" ".join(text).split())
    said = {}
    for part in ("Errors", "Threads", "Cost"):
        match = re.search(rf"\b{part}(?:, \w+)*:? (.*?)(?=(?:\. (?:Errors|Threads|Cost|Source)\b)|(?:@return)|$)", whole)
        if match:
            said[part.lower()] = match[1].strip().rstrip(".") + "."
    return params, said


# ---- the description ---------------------------------------------------------------------------------------------------------


def described(api, doc):
    """An entry with its documentation last, if it has some."""
    return {**api, "doc": doc} if doc else api


class Description:
    def __init__(self):
        self.headers = public_headers()
        self.paths = {header.path: header for header in self.headers}
        self.comments, self.known = Comments(), {}
        self.api = {"comment": "Made by tools/api.py from the public headers; change them instead.", "version": None,
                    "headers": [{"name": header.name, "library": self.library(header.path), "tier": header.tier} for header in self.headers],
                    "constants": [], "enums": [], "aliases": [], "callbacks": [], "structs": [], "functions": []}

    @staticmethod
    def library(path):
        return LIBRARIES[path[:path.index("/include/")]]

    def make(self):
        for node in parsed(self.headers).ext:
            if node.coord.file in self.paths or isinstance(node, c_ast.Decl) and (node.name or "").startswith("value_of_"):
                self.add(node)
        known = self.known
        self.api["version"] = ".".join(str(known[f"TRN_VERSION_{part}"]) for part in ("MAJOR", "MINOR", "PATCH"))
        defaults = {}
        for function in self.api["functions"]:
            returned = function["returns"]
            if isinstance(returned, str) and not function["params"] and not function["inline"]:
                defaults.setdefault(returned, function["name"])
        for struct in self.api["structs"]:
            if struct["name"] in defaults and struct["name"] + "Def" not in defaults:
                struct["default"] = defaults[struct["name"]]
        return json.dumps(self.api, indent=1, ensure_ascii=False) + "\n"

    def add(self, node):
        if isinstance(node, c_ast.Typedef):
            self.add_typedef(node)
        elif isinstance(node, c_ast.FuncDef):
            self.add_function(node.decl, True)
        elif isinstance(node.type, c_ast.FuncDecl):
            self.add_function(node, False)
        elif isinstance(node.type, c_ast.Enum):
            self.add_enum(None, node.type, node.type.coord)
        elif (node.name or "").startswith("value_of_"):
            self.add_constant(node)

    def add_constant(self, node):
        name = node.name[len("value_of_"):]
        value = self.known[name] = number(node.init, self.known)
        for header in self.headers:
            lines = self.comments.lines(header.path)
            at = next((i for i, line in enumerate(lines) if re.match(rf"#\s*define {name}\b", line)), None)
            if at is not None:
                behind = re.search(r"///< ?(.*)$", lines[at])
                doc = behind[1] if behind else "\n".join(comment_above(lines, at))
                self.api["constants"].append(described({"name": name, "value": value, "header": header.name}, doc))
                return

    def add_enum(self, name, enum, coord):
        values, following = [], 0
        for value in enum.values.enumerators:
            following = number(value.value, self.known) if value.value else following
            self.known[value.name] = following
            values.append(described({"name": value.name, "value": following}, self.comments.of(value.coord)))
            following += 1
        self.api["enums"].append(described({"name": name, "header": self.paths[coord.file].name, "values": values}, self.comments.of(coord)))

    def add_typedef(self, node):
        about = {"name": node.name, "header": self.paths[node.coord.file].name}
        inner = node.type.type if isinstance(node.type, c_ast.TypeDecl) else None
        if isinstance(inner, c_ast.Enum):
            self.add_enum(node.name, inner, inner.coord)
        elif isinstance(inner, c_ast.Struct):
            if inner.decls or not any(one["name"] == node.name for one in self.api["structs"]):
                self.add_struct(about, inner)
        elif isinstance(node.type, c_ast.PtrDecl) and isinstance(node.type.type, c_ast.FuncDecl):
            function = type_of(node.type.type, self.known)["function"]
            self.api["callbacks"].append(self.with_parts({**about, **function}, self.comments.of(node.coord)))
        else:
            self.api["aliases"].append(described({**about, "type": type_of(node.type, self.known)}, self.comments.of(node.coord)))

    def add_struct(self, about, struct):
        fields = []
        for field in struct.decls or []:
            fields.append(described({"name": field.name, "type": type_of(field.type, self.known)}, self.comments.of(field.coord)))
        self.api["structs"].append(described({**about, "fields": fields}, self.comments.of(struct.coord)))

    @staticmethod
    def with_parts(about, comment):
        params, said = parts(comment)
        about["params"] = [described(param, params.get(param["name"], "")) for param in about["params"]]
        return described({**about, **said}, comment)

    def add_function(self, node, inline):
        header = self.paths[node.coord.file]
        if any(one["name"] == node.name for one in self.api["functions"]):
            return
        function = type_of(node.type, self.known)["function"]
        about = {"name": node.name, "header": header.name, "library": self.library(header.path), "tier": header.tiers[node.name],
                 "inline": inline, **function}
        self.api["functions"].append(self.with_parts(about, self.comments.of(node.coord)))


def main():
    if sys.argv[1:] not in ([], ["--check"]):
        print(__doc__.strip())
        sys.exit(0 if sys.argv[1:] == ["--help"] else 2)
    try:
        text = Description().make()
    except Bad as error:
        sys.exit(f"api.py: {error}")
    path = os.path.join(ROOT, PATH)
    if sys.argv[1:] == ["--check"]:
        if not os.path.exists(path) or read(PATH) != text:
            sys.exit(f"{PATH} is not what the headers say. Type: tools/api.py && tools/bindings/generate.py")
        return
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if __name__ == "__main__":
    main()
