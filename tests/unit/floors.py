# SPDX-License-Identifier: MIT
"""floors.py LIBRARY SOURCES: checks that the floors of src/ (src/README.md) hold, and that
src/floors.svg shows them. floors.py --svg SOURCES prints this picture.

LIBRARY is the static library, whose object files `nm` reads; SOURCES is the folder src/. No object
file may need a function or a table of a higher floor, no source file may include a header of one,
and the files of one floor may need each other in one direction only. Operations know each other by
their doors. The top floor has companions, libraries that use this one as its applications do: the linker
gives them only what is exported, and they include only public headers.
"""

import collections
import pathlib
import re
import subprocess
import sys

import floors_picture

# From the ground up: what each floor has, and what it knows.
FLOORS = {
    "modules": (
        "the SPIR-V modules of the kernels, which the build generates: data that core/ reads",
        "nothing"),
    "spirv": (
        "rewrites SPIR-V modules: removes what constants exclude, inlines calls, checks the "
        "functions of applications and links them into kernels",
        "SPIR-V, neither Vulkan nor the library"),
    "core": (
        "memory, messages, the device and its capabilities, pipelines, modules of functions; "
        "steps, their levels and barriers, the recorder",
        "Vulkan and steps, no operation"),
    "tables": (
        "element types, operators, policies (which numbers suit a device), tuning rows and "
        "profiles, an index of the kernels",
        "the capabilities of a device"),
    "plan": (
        "what operations share: cards of kernels, checks of arguments, the choice of workgroups, "
        "walks, slots and passes, which become steps",
        "views, types, the limits of a device"),
    "op": (
        "a folder for each operation, or for two that share much: checks a request, and turns it "
        "into passes",
        "plans, tables and steps; of other operations, their doors"),
    "api": (
        "the creation of a context, which assembles what the floors below need; the self-test",
        "everything"),
}

# The floor above them, of libraries of their own.
TOP = "companions"
TOP_CONTENTS = "libvkreduce-host, libvkreduce-glsl and libvkreduce-mpi, libraries of their own"
TOP_KNOWS = "only what every application knows"

PICTURE = "floors.svg"

# An operation is a folder of op/, and others include only its header of the same name, or these.
# The algorithms of documents are parts of the operations, whose other headers they need.
DOORS = {"compact": {"compact.h", "runs.h"}, "reduce": {"reduce.h", "level.h"}}
INSIDERS = {"documents"}

# Files that replace others in builds without these; the library of this build has the others.
SUBSTITUTES = ["op/documents/absent.c"]

# Known rings of files that need each other. A ring that no longer exists must be removed here.
RINGS = []


def source_of(member, names):
    """The source file of an object file, which meson names core_recorder.c.o."""
    name = pathlib.PurePath(member).name
    return names.get(name) or ("modules/shaders.c" if name.endswith("shaders.c.o") else None)


def read_symbols(library, names):
    """file -> the global symbols that it defines, and those that it needs."""
    output = subprocess.run(["nm", "-g", library], check=True, capture_output=True, text=True)
    defines, needs, unknown = {}, collections.defaultdict(set), []
    for part in output.stdout.strip().split("\n\n"):
        member, *rows = part.split("\n")
        source = source_of(member.rstrip(":"), names)
        if source is None:
            unknown.append(member)
            continue
        for row in rows:
            kind, symbol = row.split()[-2:]
            if kind == "U":
                needs[source].add(symbol)
            else:
                defines[symbol] = source
    return defines, needs, unknown


def calls_of(defines, needs):
    """(from, to) -> the symbols of `to` that `from` needs."""
    calls = collections.defaultdict(list)
    for source, symbols in needs.items():
        for symbol in sorted(symbols):
            if defines.get(symbol, source) != source:
                calls[source, defines[symbol]].append(symbol)
    return calls


def includes_of(folder, sources):
    """(from, to) -> the include line, for every header of src/ that a file of src/ includes."""
    includes = {}
    for source in sources:
        path = folder / source
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE):
            target = (path.parent / name).resolve()
            if target.is_relative_to(folder) and target.exists():
                includes[source, str(target.relative_to(folder))] = [f'#include "{name}"']
    return includes


def foreign_includes(folder, sources):
    """What files of spirv/ include besides their own headers, C's, and SPIR-V's."""
    found = []
    for source in sources:
        if not source.startswith("spirv/"):
            continue
        path = folder / source
        for name in re.findall(r'^#include ["<]([^">]+)[">]', path.read_text(), re.MULTILINE):
            own = name.count("/") == 0 and (path.parent / name).exists() or name == "spirv_grammar.h"
            if not own and name not in ("spirv/unified1/spirv.h", "stdbool.h", "stddef.h",
                                        "stdint.h", "string.h"):
                found.append(f"{source}: {name}")
    return found


def operations_of(files, includes):
    """Each operation, with those whose doors it uses."""
    operations = {file.split("/")[1]: set() for file in files if file.startswith("op/")}
    for a, b in includes:
        if a.startswith("op/") and b.startswith("op/"):
            operations[a.split("/")[1]].add(b.split("/")[1])
    return {name: uses - {name} for name, uses in operations.items()}


def draw(files, includes):
    return floors_picture.draw(FLOORS, (TOP, TOP_CONTENTS, TOP_KNOWS),
                               operations_of(files, includes))


def old_picture(folder, picture):
    path = folder / PICTURE
    if path.exists() and path.read_text() == picture:
        return []
    return [f"{path} differs from what this prints: floors.py --svg {folder}"]


def past_doors(includes):
    """Includes of another operation's header that is not one of its doors."""
    found = []
    for a, b in sorted(includes):
        if not (a.startswith("op/") and b.startswith("op/")):
            continue
        own, (_, other, header) = a.split("/")[1], b.split("/")
        if own not in INSIDERS | {other} and header not in DOORS.get(other, {other + ".h"}):
            found.append(f"{a}: {b}")
    return found


def companion_includes(folder, files):
    """What companions include of this tree besides public headers and their own files."""
    found = []
    for file in files:
        path = folder / file
        for name in re.findall(r'^#include "([^"]+)"', path.read_text(), re.MULTILINE):
            if not (path.parent / name).exists() or "/" in name:
                if not re.fullmatch(r"vkreduce/\w+\.h", name) and name != "hook_text.h":
                    found.append(f"{file}: {name}")
    return found


def asks_of_devices(folder, files):
    """Places where planners ask for the type or the vendor of a device instead of a policy."""
    return [f"{file}: {word}" for file in files if file.split("/")[0] in ("plan", "op")
            for word in re.findall(r"device_type|vendor_id", (folder / file).read_text())]


def upward(arrows):
    def floor(source):
        return list(FLOORS).index(source.split("/")[0])

    return [f"{a} -> {b}: {', '.join(why)}" for (a, b), why in sorted(arrows.items())
            if floor(a) < floor(b)]


def reachable(start, arrows):
    seen, left = set(), [start]
    while left:
        found = arrows[left.pop()] - seen
        seen |= found
        left += found
    return seen


def find_rings(calls):
    """The largest sets of files that all need each other."""
    arrows = collections.defaultdict(set)
    for a, b in calls:
        arrows[a].add(b)
    reach = {source: reachable(source, arrows) for source in list(arrows)}
    rings = []
    for source in sorted(reach):
        ring = {other for other in reach[source] if source in reach.get(other, ())}
        if ring and ring not in rings:
            rings.append(ring)
    return rings


def find_sources(folder):
    """The files of the library, and those of the floor above it."""
    found = [str(path.relative_to(folder)) for path in sorted(folder.rglob("*.[ch]"))]
    beside = [file for file in found if file.split("/")[0] == TOP]
    return [file for file in found if file not in beside], beside


def print_picture(sources):
    folder = pathlib.Path(sources).resolve()
    files = find_sources(folder)[0]
    print(draw(files, includes_of(folder, files)), end="")


def main(library, sources):
    folder = pathlib.Path(sources).resolve()
    files, beside = find_sources(folder)
    names = {file.replace("/", "_") + ".o": file for file in files if file.endswith(".c")}
    defines, needs, unknown = read_symbols(library, names)
    missing = sorted((set(names.values()) - set(defines.values())) ^ set(SUBSTITUTES))
    strays = [file for file in files if file.split("/")[0] not in FLOORS]
    calls = calls_of(defines, needs)
    placed = [file for file in files if file not in strays]
    includes = includes_of(folder, placed)
    rings = find_rings(calls)
    wrong = [" ".join(sorted(ring)) for ring in rings if ring not in RINGS]
    gone = [" ".join(sorted(ring)) for ring in RINGS if ring not in rings]
    checks = [
        ("every source file lies on a floor", strays),
        ("every source file is in the library, and nothing else is", missing + unknown),
        (f"no call goes up, of {len(calls)} between files", upward(calls)),
        ("no include goes up", upward(includes)),
        ("operations know each other by their doors", past_doors(includes)),
        ("planners ask policies, not for a kind of device", asks_of_devices(folder, placed)),
        ("companions include public headers only", companion_includes(folder, beside)),
        ("spirv/ knows neither Vulkan nor the library", foreign_includes(folder, placed)),
        ("no files need each other", wrong),
        ("every ring in the list exists", gone),
        (f"src/{PICTURE} shows these floors", old_picture(folder, draw(placed, includes))),
    ]
    print(f"1..{len(checks)}")
    for number, (what, against) in enumerate(checks, 1):
        print(f"{'not ok' if against else 'ok'} {number} - {what}")
        for line in against:
            print(f"# {line}")
    return 1 if any(against for _, against in checks) else 0


if __name__ == "__main__":
    sys.exit(print_picture(sys.argv[2]) if sys.argv[1] == "--svg" else main(*sys.argv[1:]))
