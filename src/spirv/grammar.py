# SPDX-License-Identifier: MIT
"""grammar.py spirv.core.grammar.json OUT.h: what grammar.c has to know of each instruction, from
Khronos' own description of SPIR-V.

An instruction's signature is a row of elements, one for each operand: a kind (ELEMENTS below, or
from MASK on a set of bits whose parameters follow) and two flags. It ends with 0. Instructions that
the tables lack are those of OpenCL on Intel's devices, whose names end with INTEL, and those that
are younger than the headers.
"""

import json
import sys

ELEMENTS = {'IdResultType': 1, 'IdResult': 2, 'IdRef': 3, 'LITERAL': 4, 'LiteralString': 5,
            'CASE': 6, 'LiteralSpecConstantOpInteger': 7}
MASK = 8
OPTIONAL, REPEATS = 0x40, 0x80
PAGE = 64  # opcodes


def parameters(kind):
    """(value, kinds of the parameters) of each enumerant."""
    return [(int(str(e['value']), 0), [p['kind'] for p in e.get('parameters', [])])
            for e in kind['enumerants']]


class Grammar:
    def __init__(self, text):
        self.instructions = text['instructions']
        self.kinds = {kind['kind']: kind for kind in text['operand_kinds']}
        self.sets = []  # names of sets of bits that have parameters

    def is_id(self, kind):
        return self.kinds[kind]['category'] == 'Id'

    def element(self, kind):
        """What stands for an operand of one kind in a signature."""
        if kind in ELEMENTS:
            return ELEMENTS[kind]
        if self.is_id(kind):
            return ELEMENTS['IdRef']
        if self.kinds[kind]['category'] == 'BitEnum' and any(p for _, p in parameters(self.kinds[kind])):
            if kind not in self.sets:
                self.sets.append(kind)
            return MASK + self.sets.index(kind)
        return ELEMENTS['LITERAL']

    def elements(self, instruction, operand):
        kind, quantifier = operand['kind'], operand.get('quantifier')
        first = {None: 0, '?': OPTIONAL, '*': OPTIONAL | REPEATS}[quantifier]
        if kind == 'PairLiteralIntegerIdRef':  # of OpSwitch: as long as what is switched by
            return [ELEMENTS['CASE'] | first, ELEMENTS['IdRef'] | REPEATS]
        if self.kinds[kind]['category'] == 'Composite':
            bases = [self.element(base) for base in self.kinds[kind]['bases']]
            return [bases[0] | first] + [base | first & REPEATS for base in bases[1:]]
        more = []
        if kind == 'LiteralContextDependentNumber':
            more = [ELEMENTS['LITERAL'] | OPTIONAL | REPEATS]
        # Decorations and execution modes are last operands. Their parameters follow; the
        # instruction says of which kind these are.
        if self.kinds[kind]['category'] == 'ValueEnum' and any(p for _, p in parameters(self.kinds[kind])):
            follows = 'IdRef' if instruction.endswith('Id') else 'LITERAL'
            more = [ELEMENTS[follows] | OPTIONAL | REPEATS]
        return [self.element(kind) | first] + more

    def signatures(self):
        """Opcode -> signature."""
        found = {}
        for instruction in self.instructions:
            name = instruction['opname']
            row = []
            for operand in instruction.get('operands', []):
                row += self.elements(name, operand)
            repeats = [bool(element & REPEATS) for element in row]
            assert repeats == sorted(repeats), name  # only the last ones do
            if not name.endswith('INTEL'):
                found[instruction['opcode']] = tuple(row) + (0,)
        return found

    def set_row(self, kind):
        """The bits of a set that have a meaning, have parameters that are ids, literals, and two."""
        row = [0, 0, 0, 0]
        for bit, kinds in parameters(self.kinds[kind]):
            assert len(kinds) <= 2 and len({self.is_id(k) for k in kinds}) <= 1, kind
            row[0] |= bit
            row[1] |= bit if kinds and self.is_id(kinds[0]) else 0
            row[2] |= bit if kinds and not self.is_id(kinds[0]) else 0
            row[3] |= bit if len(kinds) == 2 else 0
        return row


def write_rows(out, declaration, numbers):
    out.write(f'{declaration} = {{')
    for i, number in enumerate(numbers):
        out.write(f'{"" if i % 16 else chr(10) + "    "}{number}, ')
    out.write('\n};\n')


def main(source, target):
    with open(source, encoding='utf-8') as file:
        grammar = Grammar(json.load(file))
    of_opcode = grammar.signatures()
    # Number 0 stands for no signature.
    rows = sorted(set(of_opcode.values()))
    elements, starts = [], [0]
    for row in rows:
        starts.append(len(elements))
        elements += row
    assert len(starts) <= 256 and len(elements) < 65536
    wanted = sorted({opcode // PAGE for opcode in of_opcode})
    numbers = [0] * PAGE
    for page in wanted:
        for opcode in range(page * PAGE, (page + 1) * PAGE):
            numbers.append(rows.index(of_opcode[opcode]) + 1 if opcode in of_opcode else 0)
    pages = [wanted.index(page) + 1 if page in wanted else 0 for page in range(wanted[-1] + 1)]
    with open(target, 'w', encoding='utf-8') as out:
        out.write(f'enum {{ PAGE = {PAGE}, PAGES = {len(pages)} }};\n')
        write_rows(out, 'static const uint8_t elements[]', elements)
        write_rows(out, 'static const uint16_t starts[]', starts)
        write_rows(out, 'static const uint8_t numbers[]', numbers)
        write_rows(out, 'static const uint8_t pages[PAGES]', pages)
        out.write('static const struct {\n    uint32_t known, ids, literals, twice;\n} sets[] = {\n')
        for kind in grammar.sets:
            row = ', '.join(f'{bits:#x}' for bits in grammar.set_row(kind))
            out.write(f'    {{{row}}}, /* {kind} */\n')
        out.write('};\n')


if __name__ == '__main__':
    main(*sys.argv[1:])
