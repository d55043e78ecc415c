#!/usr/bin/env python3
"""Checks the floors of docs/design.md: a folder includes only what stands below it, and files call downwards.

Reads the sources of the working tree as text and prints every violation with its file. Exits with 1 if there is one.

  Libraries   A folder of a library includes public headers (terrane/*.h) of its own folder and of folders below. Of another
              folder's private headers it may include those of chunks/base/, of a folder inside it, and those named
              *_internal.h. The C++ wrappers (terrane/*.hpp) and terrane/terrane.h stand above all folders of their library.
  Programs    A program includes its own files, common/ and public headers of the libraries; the bench also private ones.
              No program includes or compiles another's files. Folders of the viewer have floors of their own.
  Tests       A test includes anything of the libraries and of common/, and files of one program: the one that it tests.
  Circles     No files of one library or program may depend on each other in a circle. A .c or .cpp and the private header
              of the same name are one node; a node depends on another if it includes its header or names one of its functions.

  PostgreSQL  Names of libpq (PGresult, PQclear) stand in save/shared/postgres_* alone.
  Statics     In C files of the programs, static functions begin with their file's subject.
  Systems     Libraries include no header of a system; programs for Windows call no function that it lacks, but in *_posix.c.

Exceptions stand below, each with its reason. Usage: tools/check_floors.py
"""
import glob
import os
import re
import subprocess
import sys

# ---- the floors --------------------------------------------------------------------------------------------------------

# Folders of the libraries: for each the folders below.
BASE = ["chunks/base"]
MAP = BASE + ["chunks/pool", "chunks/index/map"]
INDEX = MAP + ["chunks/index"]
VOXELS = INDEX + ["chunks/voxels"]
STORE = VOXELS + ["chunks/store"]
EDITS = STORE + ["chunks/edits"]
SAVE = EDITS + ["chunks/light", "chunks/terrain", "chunks/stream"]
LIBRARY_FLOORS = {
    "chunks/base": [],
    "chunks/array": BASE,
    "chunks/pool": BASE,
    "chunks/index/map": BASE + ["chunks/pool"],
    "chunks/index": MAP,
    "chunks/voxels": INDEX,
    "chunks/store": VOXELS,
    "chunks/edits": STORE,
    "chunks/fluid": EDITS,
    "chunks/ticks": EDITS,
    "chunks/physics": STORE,
    "chunks/light": VOXELS,  # a function of snapshots
    "chunks/terrain": VOXELS + ["chunks/array"],  # makes voxels without a store
    "chunks/stream": STORE + ["chunks/light"],
    "chunks/far": EDITS + ["chunks/light", "chunks/stream"],
    "mesher": STORE + ["chunks/light"],
    "save": SAVE,
    "save/shared": SAVE + ["chunks/fluid", "save"],
    "save/import": SAVE + ["save"],
}

# Folders of the viewer: for each the folders below. Files at the top of viewer/ may include them all.
VIEWER_FLOORS = {
    "gather": [],
    "series": [],
    "files": [],
    "building": ["files"],
    "render": [],
    "hand": ["render"],
    "index_view": ["render"],
    "window": ["render"],
    "world": ["render"],
    "map": ["world"],
    "flight": ["render", "hand", "world"],
    "settings": ["gather", "render", "window", "hand", "world", "flight"],
    "panels": ["render", "window", "hand", "index_view", "map", "series", "settings", "files", "building"],
    "player": ["render", "hand", "window", "world", "flight", "settings", "panels"],
    "scene": ["gather", "series", "render", "hand", "index_view", "window", "world", "map", "flight", "settings", "panels",
              "player"],
    "headless": ["gather", "series", "render", "hand", "index_view", "window", "world", "flight", "settings", "player", "scene"],
    "start": ["window", "settings", "render", "files", "panels"],
    "app": ["gather", "series", "render", "hand", "index_view", "window", "world", "map", "flight", "settings", "panels", "player", "start",
            "scene", "files", "building"],
    "web": [],
}
VIEWER_SHARED = {"viewer/assets.h"}  # declares the embedded assets, which a build step writes

LIBRARIES = ["chunks", "mesher", "save"]
PROGRAMS = ["viewer", "bench", "tools", "examples"]
# Include paths as in the CMake lists; the first entry is the unit's own.
ROOTS = {
    "chunks": ["chunks", "chunks/include"],
    "mesher": ["mesher", "mesher/include"],
    "save": ["save", "save/include", "save/shared/include", "save/import/include"],
    "common": ["common"],
    "viewer": ["viewer"],
    "bench": ["bench", "bench/contenders", "bench/mesher", "examples"],
    "tools": ["tools/terrane"],
    "examples": ["examples"],
    "tests": ["tests"],
}

# ---- exceptions --------------------------------------------------------------------------------------------------------

# (file or folder that includes, file included): the reason
ACCEPTED_INCLUDES = {
    ("chunks/index/map", "chunks/include/terrane/chunk_pages.h"): "the edge of a page, and the coordinates of pages",
    ("mesher/include/terrane/mesher.h", "chunks/include/terrane/stream.h"): "TrnStreamMeshInput, which a mesh hook passes on: a type alone",
    ("chunks/stream", "chunks/include/terrane/generator.h"):
        "the interface that a stream generates through; terrain implements it, as games do",
    ("chunks/far", "chunks/include/terrane/generator.h"): "the same, at every level",
    ("chunks/far", "chunks/stream/stream_level.h"): "what a far view needs of streams, and nothing else does",
    ("bench", "examples/game_worlds.hpp"): "one game's loop for the example and topic game; an installed example needs it next to it",
}

# Operating system headers in the libraries, which otherwise know only the C library: file or folder, and why.
# What mingw-w64 lacks. Programs for Windows call functions of common/ instead, which has a file for each system.
POSIX_CALLS = {"lstat", "readlink", "symlink", "link", "realpath", "fork", "waitpid", "kill", "pipe", "poll", "mkfifo", "mmap", "dlopen",
               "fsync", "geteuid", "getuid", "getpwuid", "sigaction"}
POSIX_UNITS = ["viewer", "common", "tools"]
SYSTEM_HEADERS = re.compile(r"(GL/|GLFW/|glad/|pthread\.|unistd\.|sys/|windows\.)")
ACCEPTED_SYSTEM = {
    "chunks/base/entropy.c": "random bytes",
    "chunks/base/address_range.c": "reserved addresses and huge pages",
    "chunks/base/system.h": "Windows, for the files of this list",
    "chunks/base/thread.c": "the threads that a stream's def asks for",
    "chunks/base/thread.h": "their types",
    "save/disk_file.c": "locks, links and syncs of a world's file",
    "save/import/file.c": "folders and large files",
    "save/shared/member_state.c": "the pipe that wakes a thread which waits for a server",
}

# Circles that stand today: folder, files without their endings, reason. Remove an entry when its circle is gone.
ACCEPTED_CIRCLES = [
    ("chunks/voxels", "voxel_edit voxel_edit_impl voxel_edit_internal",
     "the inline fast path of a set calls voxel_edit.c for blocks that it does not know"),
]

# ---- reading -----------------------------------------------------------------------------------------------------------

TOKENS = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"\n]+)[>"]', re.M)
FUNCTION = re.compile(r"^(?P<head>[A-Za-z_][^\n;{}()=#]*?[ *&])(?P<name>\w+)\([^{};]*?\)[\w \n]*?\n\{", re.M)
PROTOTYPE = re.compile(r"^[A-Za-z_][^\n;{}()=#]*?[ *&](\w+)\([^{};]*?\)[\w ]*;", re.M)
NAME = re.compile(r"(?<![\w.])(?<!->)[A-Za-z_]\w+")
UNNAMED = re.compile(r"^namespace \{\n.*?^\} // namespace\n|^namespace\n\{\n.*?^\} // namespace\n", re.M | re.S)


def unit_of(path):
    return path.split("/")[0]


def folder_of(path):
    """The folder that the floors speak of."""
    parts = path.split("/")
    if "/".join(parts[:3]) in LIBRARY_FLOORS:  # chunks/index/map
        return "/".join(parts[:3])
    if parts[0] == "chunks" or "/".join(parts[:2]) in LIBRARY_FLOORS:
        return "/".join(parts[:2])
    return "/".join(parts[:2]) if parts[0] == "viewer" and len(parts) > 2 else parts[0]


def is_public(path):
    return "/include/terrane/" in path


class Source:
    def __init__(self, path):
        self.path = path
        with open(path, encoding="utf-8") as file:
            self.text = file.read()
        self.code = TOKENS.sub(lambda match: '""' if match[0][0] in "\"'" else " ", self.text)
        self.includes = [(match[1] == '"', match[2], self.text.count("\n", 0, match.start()) + 1)
                         for match in INCLUDE.finditer(self.text)]

    def functions(self):
        """Names of the functions that other files can link to."""
        code = UNNAMED.sub("", self.code) if self.path.endswith(".cpp") else self.code
        return {match["name"] for match in FUNCTION.finditer(code)
                if not re.search(r"\bstatic\b", match["head"]) and match["name"] != "main"}

    def prototypes(self):
        """Names of the functions that a header declares."""
        return set(PROTOTYPE.findall(self.code)) if self.path.endswith((".h", ".hpp")) else set()

    def names(self):
        """Names that its own code mentions, apart from declarations and members."""
        return set(NAME.findall(PROTOTYPE.sub("", self.code)))


def read_sources():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--deduplicate", "--"] +
                            [f"*.{end}" for end in ("c", "h", "cpp", "hpp")],
                            capture_output=True, text=True, check=True).stdout.split()
    return {path: Source(path) for path in listed if unit_of(path) in ROOTS and os.path.exists(path)}


def resolve(sources, source, is_quoted, name):
    """The file of this repository behind an include, or None for one of the system. The own unit comes first."""
    unit = unit_of(source.path)
    places = [os.path.dirname(source.path)] if is_quoted else []
    for other in sorted(ROOTS, key=lambda each: (each != unit, each != "common", each not in LIBRARIES)):
        places += ROOTS[other]
    for place in places:
        path = os.path.normpath(os.path.join(place, name))
        if path in sources:
            return path
    return None


def public_owners(sources, problems):
    """The folder that each public header belongs to: the one that defines its functions."""
    homes = {}
    for source in sources.values():
        if unit_of(source.path) in LIBRARIES and source.path.endswith(".c"):
            for name in source.functions():
                homes[name] = folder_of(source.path)
    owners = {}
    for path, source in sources.items():
        if not is_public(path):
            continue
        found = {homes[name]: name for name in source.prototypes() if name in homes}
        if len(found) > 1:
            problems.append(f"{path} declares functions of several folders: " +
                            ", ".join(f"{name} of {folder}" for folder, name in sorted(found.items())))
        # Without a function, as coord.h: base.
        default = "chunks/base" if unit_of(path) == "chunks" else folder_of(path)
        owners[path] = sorted(found)[0] if found else default
    return owners


# ---- floors ------------------------------------------------------------------------------------------------------------


def library_problem(folder, to, owner):
    if folder not in LIBRARY_FLOORS:
        return f"{folder} has no floor in tools/check_floors.py"
    if owner != folder and owner not in LIBRARY_FLOORS[folder]:
        return f"which does not stand below {folder}"
    is_open = is_public(to) or owner in (folder, "chunks/base") or os.path.splitext(to)[0].endswith("_internal")
    is_open = is_open or owner.startswith(folder + "/")  # a folder's own room
    return None if is_open else f"a private header of {owner}"


def viewer_problem(folder, to):
    if folder == "viewer" or to in VIEWER_SHARED:
        return None
    below = VIEWER_FLOORS.get(folder.split("/")[1])
    if below is None:
        return f"{folder} has no floor in tools/check_floors.py"
    target = folder_of(to)
    if target != folder and target not in ["viewer/" + each for each in below]:
        return f"which does not stand below {folder}"
    return None


def program_problem(path, to):
    unit, target = unit_of(path), unit_of(to)
    if target == unit:
        return viewer_problem(folder_of(path), to) if unit == "viewer" else None
    if target in PROGRAMS:
        return f"of another program ({target})"
    if target in LIBRARIES and not is_public(to):
        return None if unit == "bench" else "a private header of the libraries"
    return None if target in LIBRARIES + ["common"] else "which does not stand below a program"


def include_problem(path, to, owners):
    """What is wrong with an include, or None."""
    unit = unit_of(path)
    if unit == "tests":
        return None  # see test_problems
    if unit == "common":
        is_below = is_public(to) or unit_of(to) == "common"
        return None if is_below else "which does not stand below common"
    if unit in PROGRAMS:
        return program_problem(path, to)
    if is_public(path) and path.endswith((".hpp", "/terrane.h")):
        return None if is_public(to) and unit_of(to) in (unit, "chunks") else "which a wrapper does not wrap"
    folder = owners[path] if is_public(path) else folder_of(path)
    return library_problem(folder, to, owners.get(to, folder_of(to)))


def check_includes(links, owners, problems):
    unused = dict(ACCEPTED_INCLUDES)
    for path, line, to in links:
        problem = include_problem(path, to, owners)
        folder = owners.get(path, folder_of(path))
        accepted = [key for key in ((path, to), (folder, to)) if key in ACCEPTED_INCLUDES]
        if problem and not accepted:
            problems.append(f"{path}:{line}: includes {to}, {problem}")
        for key in accepted:
            unused.pop(key, None)
    for (path, to), _ in unused.items():
        problems.append(f"tools/check_floors.py: drop the exception {path} -> {to}: it is not used")


def check_tests(links, problems):
    """A test, with the headers of tests/ that it includes, may include one program alone."""
    to_tests, to_programs = {}, {}
    for path, _, to in links:
        if unit_of(path) == "tests":
            group = to_tests if unit_of(to) == "tests" else to_programs if unit_of(to) in PROGRAMS else None
            if group is not None:
                group.setdefault(path, set()).add(to)
    for path in set(to_tests) | set(to_programs):
        seen, found, waiting = {path}, {}, [path]
        while waiting:
            here = waiting.pop()
            for to in to_programs.get(here, ()):
                found[unit_of(to)] = to
            fresh = to_tests.get(here, set()) - seen
            seen |= fresh
            waiting += fresh
        if len(found) > 1:
            problems.append(f"{path}: includes files of several programs: " + ", ".join(sorted(found.values())))


def check_compiled(problems):
    """A program's CMake list names no file of another program."""
    for program in PROGRAMS:
        for path in glob.glob(f"{program}/**/CMakeLists.txt", recursive=True):
            with open(path, encoding="utf-8") as file:
                named = re.findall(r"\$\{PROJECT_SOURCE_DIR\}/(\w+)/", file.read())
            problems += [f"{path}: names files of {unit}, another program" for unit in set(named)
                         if unit in PROGRAMS + ["tests"] and unit != program]


def check_system(sources, problems):
    for path, source in sources.items():
        if unit_of(path) in LIBRARIES and not any(path.startswith(each) for each in ACCEPTED_SYSTEM):
            for is_quoted, name, line in source.includes:
                if not is_quoted and SYSTEM_HEADERS.match(name):
                    problems.append(f"{path}:{line}: includes <{name}>, which a library must not know")


def check_libpq(sources, problems):
    for path, source in sources.items():
        found = re.search(r"\b(PG(?:conn|notify|result)|PQ[a-z]\w*)\b", source.code)
        if found and unit_of(path) in LIBRARIES and not path.startswith("save/shared/postgres_"):
            problems.append(f"{path}: names {found[1]}, which only save/shared/postgres_* may")


def check_posix(sources, problems):
    for path, source in sources.items():
        if unit_of(path) in POSIX_UNITS and "_posix." not in path and not path.startswith("viewer/web/"):
            for name in sorted(POSIX_CALLS & set(re.findall(r"(?<![\w.>])(\w+)\(", source.code))):
                problems.append(f"{path}: calls {name}(), which Windows lacks; see common/system.h")


# ---- names of static functions ----------------------------------------------------------------------------------------

STATIC_FUNCTION = re.compile(r"^static\s[^\n;=#]*?\b(\w+)\([^;{}]*?\)[^;{}]*?(?:;|\n\{)", re.M)


def check_statics(sources, problems):
    """In C files of the programs a static function begins with the file's subject: its stem up to the first underscore, or all of it."""
    for path, source in sources.items():
        if unit_of(path) in PROGRAMS + ["common"] and unit_of(path) != "examples" and path.endswith(".c"):
            stem = os.path.splitext(os.path.basename(path))[0]
            subjects = (stem.split("_")[0], stem)
            for name in dict.fromkeys(STATIC_FUNCTION.findall(source.code)):
                if name not in subjects and not name.startswith(tuple(each + "_" for each in subjects)):
                    problems.append(f"{path}: the static function {name}() does not begin with '{subjects[0]}_' or '{stem}_'")


# ---- circles -----------------------------------------------------------------------------------------------------------


def visible_names(sources, links):
    """path -> the functions that it sees declared by what it includes."""
    includes = {path: set() for path in sources}
    for path, _, to in links:
        includes[path].add(to)
    declared = {path: source.prototypes() for path, source in sources.items()}
    visible = {}
    for path in sources:
        seen, waiting = {path}, [path]
        while waiting:
            fresh = includes[waiting.pop()] - seen
            seen |= fresh
            waiting += fresh
        visible[path] = set().union(*(declared[each] for each in seen))
    return visible


def dependencies(sources, links):
    """node -> {node: why}, over all files. A public header is a node apart from its source: all files include it."""
    node = {path: path if is_public(path) else os.path.splitext(path)[0] for path in sources}
    edges = {name: {} for name in node.values()}
    for path, _, to in links:
        if node[path] != node[to]:
            edges[node[path]].setdefault(node[to], f"includes {os.path.basename(to)}")
    homes = {}
    for path, source in sources.items():
        if not path.endswith((".h", ".hpp")):
            for name in source.functions():
                homes.setdefault((unit_of(path), name), set()).add(node[path])
    visible = visible_names(sources, links)
    for path, source in sources.items():
        if is_public(path):
            continue  # what its inline functions call is the library's own affair
        for name in source.names() & visible[path]:
            to = homes.get((unit_of(path), name), ())
            if node[path] not in to:
                for each in to:
                    edges[node[path]][each] = f"calls {name}"
    return edges


def circles(edges):
    """The strongly connected components of more than one node (Tarjan)."""
    order, low, stack, on_stack, found = {}, {}, [], set(), []

    def visit(node):
        order[node] = low[node] = len(order)
        stack.append(node)
        on_stack.add(node)
        for to in edges[node]:
            if to not in order:
                visit(to)
                low[node] = min(low[node], low[to])
            elif to in on_stack:
                low[node] = min(low[node], order[to])
        if low[node] == order[node]:
            group = set()
            while node not in group:
                group.add(stack.pop())
            on_stack.difference_update(group)
            if len(group) > 1:
                found.append(group)

    sys.setrecursionlimit(10000)
    for node in sorted(edges):
        if node not in order:
            visit(node)
    return found


def check_circles(edges, problems, notes):
    all_accepted = [{f"{folder}/{name}" for name in names.split()} for folder, names, _ in ACCEPTED_CIRCLES]
    met = set()
    for group in circles(edges):
        matching = [i for i, accepted in enumerate(all_accepted) if group <= accepted]
        met.update(matching)
        if matching:
            if group != all_accepted[matching[0]]:
                notes.append("an accepted circle has shrunk to " + ", ".join(sorted(group)))
            continue
        lines = [f"    {node} -> {to}: {why}" for node in sorted(group)
                 for to, why in sorted(edges[node].items()) if to in group]
        problems.append("circle of " + ", ".join(sorted(group)) + "\n" + "\n".join(lines))
    for i, accepted in enumerate(all_accepted):
        if i not in met:
            notes.append("an accepted circle is gone: drop " + ", ".join(sorted(accepted)))


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    sources, problems, notes = read_sources(), [], []
    links = []
    for path, source in sources.items():
        for is_quoted, name, line in source.includes:
            to = resolve(sources, source, is_quoted, name)
            if to:
                links.append((path, line, to))
    owners = public_owners(sources, problems)
    check_includes(links, owners, problems)
    check_tests(links, problems)
    check_compiled(problems)
    check_system(sources, problems)
    check_libpq(sources, problems)
    check_posix(sources, problems)
    check_statics(sources, problems)
    check_circles(dependencies(sources, links), problems, notes)
    for each in notes:
        print(f"check_floors.py: note: {each}")
    for each in sorted(problems):
        print(each)
    print(f"Floors: {len(sources)} files, {len(links)} includes, {len(problems)} violations.")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
