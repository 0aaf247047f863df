# SPDX-License-Identifier: MIT
"""Files that the runner reads."""
from mutant import Mutant

MUTANTS = (
    Mutant('rows of both kinds are accepted', 'hdr.c', 'if (packed != is_packed(p))',
           'if (p->wrong == NULL)', ('files_pictures',)),
    Mutant('runs of the old kind are accepted as pixels', 'hdr.c',
           'if (memcmp(p->bytes + p->at + i, repeat, sizeof repeat) == 0)',
           'if (repeat[0] == 0)', ('files_pictures',)),
    Mutant('a run may go past its row', 'hdr.c', 'if (count == 0 || count > p->width - done)',
           'if (count == 0)', ('files_pictures',)),
    Mutant('another format in addition to the right one is accepted',
           'hdr.c', 'if (!right && take(&line, "FORMAT="))',
           'if (!right && take(&line, "NO FORMAT="))', ('files_pictures',)),
    Mutant('a colour that the palette lacks is accepted', 'image.c', 'if (index >= count)',
           'if (index > 255)', ('files_pictures',)),
    Mutant('bools do not become 0 and 1', 'input.c', 'data[i] = data[i] != 0;', '(void)data;',
           ('files',)),
    Mutant('bools in Fortran order do not become 0 and 1', 'npy.c', "h.descr[1] == 'b';",
           "h.descr[1] == 'b' && !h.fortran_order;", ('files',)),
    Mutant('an empty pipe is accepted', 'input.c', 'in->size > 0 || is_empty',
           'in->size < 1 || is_empty', ('files',)),
    Mutant('an incomplete raw element is accepted', 'input.c', 'if (more == 0 || more >= element)',
           'if (element > 0)', ('files',)),
)
