# SPDX-License-Identifier: MIT
"""A mutant: a change of one place of the sources, outside tests/, that some test must notice."""
import dataclasses


@dataclasses.dataclass(frozen=True)
class Mutant:
    """The place is found by its text, which must occur once in the file that is named (DIR/NAME if
    several have its name and its text), or else once in all files of that kind.

    `tests` are patterns of the tests that should notice, in the order in which they run; NAME/CASES
    runs only those cases of a test (cmocka's * and ?). The first one notices; the others are for a
    mutant whose surroundings change. `modules` are patterns of the shader modules that are compiled
    again: of the modules that contain the file, those that the tests use.
    """
    name: str
    file: str
    search: str
    replace: str
    tests: tuple
    modules: tuple = ()


# Tests without a device that notice mutants of several areas.
RECORDER = ('recorder',)
ARGUMENTS = ('refusals', 'features', 'plans')
