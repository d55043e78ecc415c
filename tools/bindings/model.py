"""The description of the interface as the back ends of generate.py read it."""
import json
import os

from public_headers import ROOT

LIBRARIES = ("chunks", "mesher", "save")  # what libterrane has
NOTICE = "Made by tools/bindings/generate.py from packaging/api/terrane.json; change the headers instead."
PRIMITIVES = ["void", "bool", "char", "int", "float", "double", "size_t", "uintptr_t"]
PRIMITIVES += [f"{sign}int{bits}_t" for sign in ("", "u") for bits in (8, 16, 32, 64)]


def plain(kind):
    """A type without its own const."""
    return kind["const"] if isinstance(kind, dict) and "const" in kind else kind


def is_pointer(kind):
    kind = plain(kind)
    return isinstance(kind, dict) and "pointer" in kind


def by_value(kind):
    """The names of the types whose size a type needs."""
    kind = plain(kind)
    if isinstance(kind, str):
        return [kind]
    return by_value(kind["array"]) if "array" in kind else []


def functions_of(kind):
    """The function type that a pointer points to, or None."""
    kind = plain(kind)
    target = kind.get("pointer") if isinstance(kind, dict) else None
    return target.get("function") if isinstance(target, dict) else None


def as_parameter(kind):
    """A parameter's type: arrays are pointers to their first element."""
    kind = plain(kind)
    return {"pointer": kind["array"]} if isinstance(kind, dict) and "array" in kind else kind


class Api:
    """What the libraries of LIBRARIES declare."""

    def __init__(self):
        with open(os.path.join(ROOT, "packaging/api/terrane.json"), encoding="utf-8") as file:
            api = json.load(file)
        self.version = api["version"]
        self.headers = [header["name"] for header in api["headers"] if header["library"] in LIBRARIES]

        def ours(entries):
            return [entry for entry in entries if entry["header"] in self.headers]
        self.constants, self.enums, self.aliases = ours(api["constants"]), ours(api["enums"]), ours(api["aliases"])
        self.callbacks, self.structs, self.functions = ours(api["callbacks"]), ours(api["structs"]), ours(api["functions"])
        self.enum_names = {enum["name"] for enum in self.enums}
        self.alias_of = {alias["name"]: alias["type"] for alias in self.aliases}
        self.callback_names = {callback["name"] for callback in self.callbacks}
        self.complete = [struct for struct in self.structs if struct["fields"]]

    def resolve(self, name):
        """What an alias stands for."""
        while name in self.alias_of:
            name = self.alias_of[name]
        return name

    def ordered(self):
        """Complete structs and callbacks, each after what its size needs."""
        entries = {entry["name"]: entry for entry in self.complete + self.callbacks}
        done, order = set(), []

        def visit(name):
            name = self.resolve(name)
            if name in done or name not in entries:
                return
            done.add(name)
            entry = entries[name]
            for part in entry.get("fields", entry.get("params", [])):
                inner = functions_of(part["type"])
                for kind in [part["type"]] + [param["type"] for param in inner["params"]] if inner else [part["type"]]:
                    for needed in by_value(kind):
                        visit(needed)
            order.append(entry)

        for name in entries:
            visit(name)
        return order


# ---- C ---------------------------------------------------------------------------------------------------------------------


def c_declaration(kind, name):
    """A declaration in C: c_declaration({"pointer": "int"}, "x") is "int *x"."""
    if isinstance(kind, str):
        return f"{kind} {name}".rstrip()
    if "const" in kind:
        inner = kind["const"]
        return f"const {c_declaration(inner, name)}" if isinstance(inner, str) else c_declaration(inner, f"const {name}".strip())
    if "array" in kind:
        return c_declaration(kind["array"], f"{name}[{kind['count']}]")
    if "pointer" in kind:
        target = kind["pointer"]
        wraps = isinstance(target, dict) and ("array" in target or "function" in target)
        return c_declaration(target, f"(*{name})" if wraps else f"*{name}")
    function = kind["function"]
    return c_declaration(function["returns"], f"{name}({c_params(function)})")


def c_params(function):
    return ", ".join(c_declaration(param["type"], param["name"]) for param in function["params"]) or "void"
