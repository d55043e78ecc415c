"""The C source that the shared library has in addition: inline functions as exported ones, and the sizes of structs."""
from model import NOTICE, c_declaration, c_params

PATH = "packages/native/inline.c"


def wrapper(function):
    call = f"{function['name']}({', '.join(param['name'] for param in function['params'])})"
    returned = "" if function["returns"] == "void" else "return "
    head = c_declaration(function["returns"], f"{function['name'].replace('trn_', 'trnx_', 1)}({c_params(function)})")
    return f"EXPORT {head};\n{head}\n{{\n    {returned}{call};\n}}\n"


def make(api):
    includes = "".join(f"#include <terrane/{name}>\n" for name in api.headers)
    inline = [function for function in api.functions if function["inline"]]
    sizes = "".join(f"    sizeof({struct['name']}),\n" for struct in api.complete)
    text = (f"// clang-format off\n// {NOTICE}\n"
            "// Inline functions for languages that cannot call them: trn_x is trnx_x. Sizes of structs, by which a\n"
            f"// binding notices that it was made for another library.\n#include <stddef.h>\n\n{includes}\n"
            "#if defined(_WIN32)\n#define EXPORT __declspec(dllexport)\n#else\n"
            "#define EXPORT __attribute__((visibility(\"default\")))\n#endif\n\n"
            + "\n".join(wrapper(function) for function in inline)
            + f"\nstatic const size_t struct_bytes[] = {{\n{sizes}}};\n\n"
            "/// The size of a struct by its place in the binding's list; 0 past the last.\n"
            "EXPORT size_t trnx_struct_bytes(size_t place);\nsize_t trnx_struct_bytes(size_t place)\n{\n"
            "    return place < sizeof struct_bytes / sizeof *struct_bytes ? struct_bytes[place] : 0;\n}\n")
    return {PATH: text}
