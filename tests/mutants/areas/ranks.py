# SPDX-License-Identifier: MIT
"""Operations over the ranks of MPI."""
from mutant import Mutant

RANKS = ('mpi-*-3', 'mpi-*')

MUTANTS = (
    Mutant('ranks do not notice that their infos differ', 'mpi.c',
           'all[1] == -all[2]', 'all[1] <= -all[2]', RANKS),
    Mutant('what fails on another rank is taken for a wrong argument', 'mpi.c',
           '(VkrResult)((all[0] - rank) / ((int64_t)1 << 32))', 'VKR_ERROR_INVALID_ARGUMENT',
           RANKS),
    Mutant('elements with a stride are sent as they lie', 'reduce.c',
           'i < count && stride != element;', 'i < 0 * count && stride != element;', RANKS),
    Mutant('the first elements of a rank stand for those of its last block', 'reduce.c',
           'copy(m, w->views[i], w->count - own, own, w->shared[i]);',
           'copy(m, w->views[i], 0, own, w->shared[i]);', RANKS),
    Mutant('each rank is taken to have one partial', 'reduce.c',
           '(int)(owned.first / VKR_TREE_BLOCK)', 'i', RANKS),
    Mutant('pieces start where the elements of their rank do', 'reduce.c',
           'add_piece(m, w, &piece, w->cut.first, in_place);',
           'add_piece(m, w, &piece, w->first, in_place);', RANKS),
    Mutant('a reversed scan goes from the first rank to the last', 'scan.c',
           'is_reversed(w) ? m->ranks - 1 - position : position', 'position + 0 * is_reversed(w)',
           RANKS),
    Mutant('each rank is taken to have one total', 'scan.c',
           '(uint64_t)w->numbers[m->ranks + m->rank]', '(uint64_t)m->rank', RANKS),
    Mutant('counts outside the bins are those of one rank', 'counts.c',
           'sum(mpi, info->outside, w.outside, w.size)',
           'sum(mpi, info->outside, 0 * w.outside, w.size)', RANKS),
    Mutant('what a rank kept lies before its own offset', 'counts.c',
           'MPI_Exscan(', 'MPI_Scan(', RANKS),
    Mutant('a view holds one element less than fits', 'device.c',
           '(end - view->offset - element) / mpi_stride(view) + 1',
           '(end - view->offset - element) / mpi_stride(view)', RANKS),
    Mutant('parts of a view start as if it had no stride', 'device.c',
           'part.offset += first * mpi_stride(view);',
           'part.offset += first * mpi_element(view);', RANKS),
)
