# SPDX-License-Identifier: MIT
"""Files that the runner reads."""
from mutant import Mutant

MUTANTS = (
    # ---- Files that the runner reads ----
    Mutant('rows of both kinds are taken', 'hdr.c', 'if (packed != is_packed(p))',
           'if (p->wrong == NULL)', ('files_pictures',)),
    Mutant('runs of the old kind are taken for pixels', 'hdr.c',
           'if (memcmp(p->bytes + p->at + i, repeat, sizeof repeat) == 0)',
           'if (repeat[0] == 0)', ('files_pictures',)),
    Mutant('a run goes past its row', 'hdr.c', 'if (count == 0 || count > p->width - done)',
           'if (count == 0)', ('files_pictures',)),
    Mutant('another format beside the right one', 'hdr.c', 'if (!right && take(&line, "FORMAT="))',
           'if (!right && take(&line, "NO FORMAT="))', ('files_pictures',)),
    Mutant('a colour that the palette lacks', 'image.c', 'if (index >= count)',
           'if (index > 255)', ('files_pictures',)),
    Mutant('bytes of bools stay what they are', 'input.c', 'data[i] = data[i] != 0;', '(void)data;',
           ('files',)),
    Mutant('bools in Fortran order stay what they are', 'npy.c', "h.descr[1] == 'b';",
           "h.descr[1] == 'b' && !h.fortran_order;", ('files',)),
    Mutant('a pipe brings nothing', 'input.c', 'in->size > 0 || is_empty',
           'in->size < 1 || is_empty', ('files',)),
    Mutant('a raw element is cut', 'input.c', 'if (more == 0 || more >= element)',
           'if (element > 0)', ('files',)),
)
