# SPDX-License-Identifier: MIT
"""All mutants, in the order in which they run."""
from areas import (by_key, compactions, functions, histograms, images, planning, pyramids,
                   recording, reductions, samples, scans, searches, segments, selections, sorts,
                   spirv, streams)

MUTANTS = tuple(mutant
                for area in (recording, spirv, planning, reductions, scans, compactions, segments,
                             by_key, images, pyramids, streams, histograms, searches, selections,
                             sorts, functions, samples)
                for mutant in area.MUTANTS)
