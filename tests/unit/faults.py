# SPDX-License-Identifier: MIT
"""faults.py FAULTS REGISTRY SOURCES: checks that tests/device/faults.c forgets no call.

FAULTS --list must print exactly the Vulkan functions in the library's sources (in the folder
SOURCES) that return a VkResult, each with the codes that the Vulkan registry lists for it. What
libvkreduce-host calls is in tests/device/host_wrap_vk.c.
"""

import pathlib
import re
import subprocess
import sys
import xml.etree.ElementTree


def registry_codes(path):
    """name -> codes other than VK_SUCCESS, of all functions with a VkResult, aliases too."""
    tree = xml.etree.ElementTree.parse(path)
    codes, aliases = {}, {}
    for command in tree.findall("commands/command"):
        if "alias" in command.attrib:
            aliases[command.get("name")] = command.get("alias")
        elif command.findtext("proto/type") == "VkResult":
            names = [command.get("successcodes", ""), command.get("errorcodes", "")]
            codes[command.findtext("proto/name")] = ",".join(names).split(",")
    for name, other in aliases.items():
        if other in codes:
            codes[name] = codes[other]
    # A promoted code has two names. Any function may return VK_ERROR_UNKNOWN and
    # VK_ERROR_VALIDATION_FAILED.
    spoken = {}
    for name, listed in codes.items():
        plain = {re.sub("_(KHR|EXT)$", "", code) for code in listed if code}
        spoken[name] = plain - {"VK_SUCCESS", "VK_ERROR_UNKNOWN", "VK_ERROR_VALIDATION_FAILED"}
    return spoken


def called(sources, codes):
    host = pathlib.Path(sources, "companions/host")
    text = "\n".join(source.read_text() for source in pathlib.Path(sources).rglob("*.[ch]")
                     if host not in source.parents)
    # A string that is only a name asks for a function; in messages other words follow the name.
    used = re.findall(r'(?:\.|->)(vk[A-Z]\w+)|"(vk[A-Z]\w+)"', text)
    return {name for pair in used for name in pair if name in codes}


def listed(program):
    output = subprocess.run([program, "--list"], check=True, capture_output=True, text=True).stdout
    return {line.split()[0]: set(line.split()[1:]) for line in output.splitlines()}


def main(program, registry, sources):
    codes = registry_codes(registry)
    table, used = listed(program), called(sources, codes)
    checks = [("some functions are called", len(used) > 5, "")]
    for name in sorted(used | table.keys()):
        checks.append((f"{name} is called and in the table", name in used and name in table, ""))
        missing = codes.get(name, set()) ^ table.get(name, set())
        checks.append((f"{name} fails with each of its codes", not missing, " ".join(missing)))
    print(f"1..{len(checks)}")
    for number, (what, right, why) in enumerate(checks, 1):
        print(f"{'ok' if right else 'not ok'} {number} - {what}")
        if why:
            print(f"# {why}")
    return 0 if all(right for _, right, _ in checks) else 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
