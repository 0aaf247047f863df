# SPDX-License-Identifier: MIT
"""All mutants, in the order in which they run: by the files of areas/, and as these list them."""
import importlib
import os

AREAS = sorted(os.path.splitext(name)[0]
               for name in os.listdir(os.path.join(os.path.dirname(__file__), 'areas'))
               if name.endswith('.py'))
MUTANTS = tuple(mutant for area in AREAS
                for mutant in importlib.import_module('areas.' + area).MUTANTS)
