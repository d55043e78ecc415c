"""Python: what cffi makes of the declarations, so that a program that imports the package neither parses nor compiles C."""
import contextlib
import io
import os
import tempfile

import cffi

from model import NOTICE, c_declaration, c_params

FOLDER = "packages/terrane-python/terrane"
MODULE = "terrane._abi"


def declaration(entry):
    if "fields" in entry:
        fields = "".join(f"    {c_declaration(field['type'], field['name'])};\n" for field in entry["fields"])
        return f"struct {entry['name']} {{\n{fields}}};\n"
    head = c_declaration(entry["returns"], f"(*{entry['name']})({c_params(entry)})")
    return f"typedef {head};\n"


def make(api):
    text = []
    for enum in api.enums:
        values = ", ".join(f"{value['name']} = {value['value']}" for value in enum["values"])
        text.append(f"typedef enum {{ {values} }} {enum['name']};\n" if enum["name"] else f"enum {{ {values} }};\n")
    text += [f"typedef struct {struct['name']} {struct['name']};\n" for struct in api.structs]
    text += [f"typedef {c_declaration(alias['type'], alias['name'])};\n" for alias in api.aliases]
    text += [declaration(entry) for entry in api.ordered()]
    for function in api.functions:
        name = function["name"].replace("trn_", "trnx_", 1) if function["inline"] else function["name"]
        text.append(c_declaration(function["returns"], f"{name}({c_params(function)})") + ";\n")
    text.append("size_t trnx_struct_bytes(size_t place);\n")
    names = "".join(f"    {struct['name']!r},\n" for struct in api.complete)
    constants = "".join(f"{constant['name']} = {constant['value']!r}\n" for constant in api.constants)
    about = (f'"""{NOTICE}"""\nVERSION = {api.version!r}\n# By the place at which trnx_struct_bytes() has their sizes.\n'
             f"STRUCTS = (\n{names})\n{constants}")
    return {f"{FOLDER}/_abi.py": emitted("".join(text)), f"{FOLDER}/_constants.py": about}


def emitted(declarations):
    """The module of cffi's out-of-line ABI mode."""
    builder = cffi.FFI()
    builder.cdef(declarations)
    builder.set_source(MODULE, None)
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "_abi.py")
        with contextlib.redirect_stdout(io.StringIO()):
            builder.emit_python_code(path)
        with open(path, encoding="utf-8") as file:
            return file.read()
