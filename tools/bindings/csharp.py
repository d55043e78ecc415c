"""C#: the declarations for P/Invoke, in what C# 7 and .NET Standard 2.0 have. Arguments need no marshalling, except bool."""
from model import NOTICE, as_parameter, functions_of, plain

PATH = "packages/terrane-dotnet/src/Native.cs"
NAMES = {"void": "void", "bool": "byte", "char": "byte", "unsigned char": "byte", "int": "int", "float": "float", "double": "double", "size_t": "UIntPtr",
         "uintptr_t": "UIntPtr", "int8_t": "sbyte", "uint8_t": "byte", "int16_t": "short", "uint16_t": "ushort", "int32_t": "int",
         "uint32_t": "uint", "int64_t": "long", "uint64_t": "ulong"}
KEYWORDS = {"in", "out", "ref", "params", "object", "event", "fixed", "base", "string", "lock", "checked", "is", "as", "this", "internal"}


def name_of(name):
    return "@" + name if name in KEYWORDS else name


class Types:
    def __init__(self, api):
        self.api = api

    def of(self, kind):
        kind = plain(kind)
        if isinstance(kind, str):
            kind = self.api.resolve(kind)
            return "IntPtr" if kind in self.api.callback_names else NAMES.get(kind, kind)
        if functions_of(kind):
            return "IntPtr"
        target = plain(kind["pointer"])
        if isinstance(target, dict) and "array" in target:
            target = plain(target["array"])
        return self.of(target) + "*"

    def parameters(self, function, marshals):
        made = []
        for param in function["params"]:
            kind = as_parameter(param["type"])
            of = "[MarshalAs(UnmanagedType.I1)] bool" if kind == "bool" and marshals else self.of(kind)
            made.append(f"{of} {name_of(param['name'])}")
        return ", ".join(made)

    def fields(self, field):
        """The C# fields of one of C: arrays of numbers are fixed buffers, others a field for each element."""
        kind, count = plain(field["type"]), 1
        while isinstance(kind, dict) and "array" in kind:
            kind, count = plain(kind["array"]), count * kind["count"]
        of, name = self.of(kind), name_of(field["name"])
        if not (isinstance(plain(field["type"]), dict) and "array" in plain(field["type"])):
            return [f"public {of} {name};"]
        if of in NAMES.values() and of not in ("UIntPtr", "void"):
            return [f"public fixed {of} {name}[{count}];"]
        return [f"public {of} {field['name']}{i};" for i in range(count)]


def doc(entry, indent):
    text = entry.get("doc", "").replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    if not text:
        return ""
    lines = text.split("\n")
    if len(lines) == 1:
        return f"{indent}/// <summary>{lines[0]}</summary>\n"
    return f"{indent}/// <summary>\n" + "".join(f"{indent}/// {line}".rstrip() + "\n" for line in lines) + f"{indent}/// </summary>\n"


def delegate(name, function, types):
    return ("    [UnmanagedFunctionPointer(CallingConvention.Cdecl)]\n"
            f"    public unsafe delegate {types.of(function['returns'])} {name}({types.parameters(function, False)});\n")


def make(api):
    types = Types(api)
    out = [f"// {NOTICE}\n#pragma warning disable 1591\nusing System;\nusing System.Runtime.InteropServices;\n\nnamespace Terrane.Native\n{{\n"]
    for enum in api.enums:
        values = "".join(doc(value, "        ") + f"        {value['name']} = {value['value']},\n" for value in enum["values"])
        if enum["name"]:
            out.append(doc(enum, "    ") + f"    public enum {enum['name']} : uint\n    {{\n{values}    }}\n\n")
    for callback in api.callbacks:
        out.append(doc(callback, "    ") + delegate(callback["name"], callback, types) + "\n")
    for struct in api.structs:
        fields = ""
        for field in struct["fields"]:
            function = functions_of(field["type"])
            if function:
                out.append(doc(field, "    ") + delegate(f"{struct['name']}_{field['name']}", function, types) + "\n")
            fields += doc(field, "        ") + "".join(f"        {line}\n" for line in types.fields(field))
        out.append(doc(struct, "    ") + f"    [StructLayout(LayoutKind.Sequential)]\n    public unsafe struct {struct['name']}\n    {{\n{fields}    }}\n\n")
    out.append("    /// <summary>The functions of the library, and its constants.</summary>\n    public static unsafe class Lib\n    {\n"
               f'        public const string Name = "terrane";\n        public const string Version = "{api.version}";\n\n')
    for one in api.constants + [value for enum in api.enums if not enum["name"] for value in enum["values"]]:
        value = one["value"]
        kind = "string" if isinstance(value, str) else "double" if isinstance(value, float) else "long" if value < 0 else \
            "int" if value < 2 ** 31 else "uint" if value < 2 ** 32 else "ulong"
        text = f'"{value}"' if isinstance(value, str) else repr(value)
        out.append(doc(one, "        ") + f"        public const {kind} {one['name']} = {text};\n")
    for function in api.functions:
        entry = function["name"].replace("trn_", "trnx_", 1) if function["inline"] else function["name"]
        returns = function["returns"]
        kind = "bool" if returns == "bool" else types.of(returns)
        out.append("\n" + doc(function, "        ")
                   + f'        [DllImport(Name, EntryPoint = "{entry}", CallingConvention = CallingConvention.Cdecl)]\n'
                   + ("        [return: MarshalAs(UnmanagedType.I1)]\n" if returns == "bool" else "")
                   + f"        public static extern {kind} {function['name']}({types.parameters(function, True)});\n")
    out.append("\n        [DllImport(Name, EntryPoint = \"trnx_struct_bytes\", CallingConvention = CallingConvention.Cdecl)]\n"
               "        public static extern UIntPtr trnx_struct_bytes(UIntPtr place);\n\n"
               "        /// <summary>The structs' names, in the library's order.</summary>\n"
               "        public static readonly string[] StructNames =\n        {\n"
               + "".join(f"            \"{struct['name']}\",\n" for struct in api.complete)
               + "        };\n\n        /// <summary>Their sizes in C#.</summary>\n"
               "        public static readonly int[] StructBytes =\n        {\n"
               + "".join(f"            sizeof({struct['name']}),\n" for struct in api.complete)
               + "        };\n    }\n}\n")
    return {PATH: "".join(out)}
