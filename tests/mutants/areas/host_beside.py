# SPDX-License-Identifier: MIT
"""What a host offers to programs with commands and recorders of their own."""
from mutant import Mutant

BESIDE = ('host-beside-lvp22-8',)

MUTANTS = (
    Mutant('the time of the caller\'s commands does not end where they do', 'run.c',
           'if (end)\n        stamp(h, 1);', 'if (end > 1)\n        stamp(h, 1);', BESIDE),
    Mutant('a recording has the stamps of the one before', 'run.c',
           'h->stamped[0] = h->stamped[1] = false;', 'h->stamped[0] = h->stamped[1];', BESIDE),
    Mutant('another context has the settings of none', 'host.c',
           'return host_create_context(host->device, settings, context);',
           'return host_create_context(host->device, NULL, context);', BESIDE),
)
