"""Rust: the declarations of terrane-sys, and the built-in blocks of terrane."""
from model import NOTICE, as_parameter, functions_of, plain

PATH = "packages/terrane-rust/terrane-sys/src/bindings.rs"
BLOCKS_PATH = "packages/terrane-rust/terrane/src/blocks.rs"
NAMES = {"void": "c_void", "bool": "bool", "char": "c_char", "unsigned char": "u8", "int": "c_int", "float": "f32", "double": "f64", "size_t": "usize",
         "uintptr_t": "usize", "int8_t": "i8", "uint8_t": "u8", "int16_t": "i16", "uint16_t": "u16", "int32_t": "i32", "uint32_t": "u32",
         "int64_t": "i64", "uint64_t": "u64"}
KEYWORDS = {"type", "in", "ref", "move", "box", "where", "loop", "use", "final", "override", "fn", "mod", "match", "self", "impl"}


def name_of(name):
    return name + "_" if name in KEYWORDS else name


def is_const(kind):
    return isinstance(kind, dict) and "const" in kind


def rust_type(kind, callbacks):
    kind_plain = plain(kind)
    if isinstance(kind_plain, str):
        return f"Option<{kind_plain}>" if kind_plain in callbacks else NAMES.get(kind_plain, kind_plain)
    if "array" in kind_plain:
        return f"[{rust_type(kind_plain['array'], callbacks)}; {kind_plain['count']}]"
    function = functions_of(kind_plain)
    if function:
        return f"Option<{function_type(function, callbacks)}>"
    target = kind_plain["pointer"]
    element = target["array"] if isinstance(target, dict) and "array" in target else target
    return f"*{'const' if is_const(target) or is_const(element) else 'mut'} {rust_type(target, callbacks)}"


def result(kind, callbacks):
    return "" if kind == "void" else f" -> {rust_type(kind, callbacks)}"


def parameters(function, callbacks):
    made = []
    for param in function["params"]:
        kind = param["type"]
        if isinstance(plain(kind), dict) and "array" in plain(kind):
            kind = as_parameter(kind)
        made.append(f"{name_of(param['name'] or '_')}: {rust_type(kind, callbacks)}")
    return ", ".join(made)


def function_type(function, callbacks):
    return f'unsafe extern "C" fn({parameters(function, callbacks)}){result(function["returns"], callbacks)}'


def doc(entry, indent=""):
    return "".join(f"{indent}/// {line}".rstrip() + "\n" for line in entry.get("doc", "").split("\n") if entry.get("doc"))


def constant(name, value, kind=None):
    if isinstance(value, str):
        return f'pub const {name}: &str = "{value}";\n'
    if isinstance(value, float):
        return f"pub const {name}: f64 = {value!r};\n"
    kind = kind or ("i64" if value < 0 else "u32" if value < 2 ** 32 else "u64")
    return f"pub const {name}: {kind} = {value};\n"


def blocks(api):
    """The built-in blocks as constants of the type that a block has, without C's prefix."""
    values = next(enum["values"] for enum in api.enums if enum["values"][0]["name"] == "TRN_BLOCK_AIR")
    out = [f"// {NOTICE}\n\n//! The ids of the built-in blocks, which every [`BlockTypes`](crate::BlockTypes) has.\n\nuse crate::Block;\n\n"]
    out += [doc(value) + constant(value["name"].replace("TRN_BLOCK_", "", 1), value["value"], "Block") for value in values]
    return "".join(out)


def make(api):
    names = api.callback_names
    out = [f"// {NOTICE}\n\nuse std::ffi::c_void;\nuse std::os::raw::{{c_char, c_int}};\n\n"
           f'/// The version that this binding was made for.\npub const VERSION: &str = "{api.version}";\n\n']
    out += [doc(one) + constant(one["name"], one["value"]) for one in api.constants]
    for enum in api.enums:
        kind = enum["name"] or "u32"
        if any(value["value"] < 0 for value in enum["values"]):
            base = "i32"
        else:
            base = "u32"
        if enum["name"]:
            out.append("\n" + doc(enum) + f"pub type {enum['name']} = {base};\n")
        out += [doc(value) + constant(value["name"], value["value"], kind) for value in enum["values"]]
    out += ["\n" + doc(alias) + f"pub type {alias['name']} = {rust_type(alias['type'], names)};\n" for alias in api.aliases]
    out += ["\n" + doc(one) + f"pub type {one['name']} = {function_type(one, names)};\n" for one in api.callbacks]
    for struct in api.structs:
        if not struct["fields"]:
            out.append("\n" + doc(struct) + f"#[repr(C)]\npub struct {struct['name']} {{\n    _private: [u8; 0],\n}}\n")
            continue
        fields = "".join(doc(field, "    ") + f"    pub {name_of(field['name'])}: {rust_type(field['type'], names)},\n"
                         for field in struct["fields"])
        out.append("\n" + doc(struct) + f"#[repr(C)]\n#[derive(Clone, Copy)]\npub struct {struct['name']} {{\n{fields}}}\n")
    out.append('\nextern "C" {\n')
    for function in api.functions:
        if function["library"] == "save":
            out.append('    #[cfg(feature = "save")]\n')
        if function["inline"]:
            out.append(f'    #[link_name = "{function["name"].replace("trn_", "trnx_", 1)}"]\n')
        out.append(doc(function, "    ") + f"    pub fn {function['name']}({parameters(function, names)}){result(function['returns'], names)};\n")
    out.append("    /// The size of a struct by its place in STRUCT_BYTES; 0 past the last.\n    pub fn trnx_struct_bytes(place: usize) -> usize;\n}\n")
    out.append("\n/// The structs' names and their sizes in Rust.\npub const STRUCT_BYTES: &[(&str, usize)] = &[\n")
    out += [f'    ("{struct["name"]}", std::mem::size_of::<{struct["name"]}>()),\n' for struct in api.complete]
    out.append("];\n")
    return {PATH: "".join(out), BLOCKS_PATH: blocks(api)}


