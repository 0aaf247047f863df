#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""pages.py ROOT [RUNNER]: checks the pages (*.md) of the source tree ROOT.

 - Each excerpt, between "<!-- NAME begin FILE -->" and "<!-- NAME end -->", occurs in FILE line for
   line. Pages contain no other C, C++ or GLSL code, unless a test of its own compiles it.
 - Links lead to existing files, and to existing headings of pages.
 - Each index lists all its files.
 - Comments of public headers, and pages next to them, only use names that the headers declare, and
   only members that their structs have.
 - Numbers of tasks and recordings are those of the pages that have them.
 - README.md has at most 200 lines, every other page at most 400.

With RUNNER it instead runs the commands "vkreduce .." of the page on samples, which must succeed,
in a scratch folder with the samples' data.
"""
import glob
import os
import re
import subprocess
import sys
import tempfile

FOLDERS = ('include', 'samples', 'shaders', 'src', 'tests')
# Excerpts that are in no file, and the test that checks each of them.
CHECKED = {'shader': 'group-included', 'matrix': 'matrix', 'guarantees': 'guarantees'}
# The files of its folder that each index must list. Folders end with a slash.
LISTED = {
    'include/vkreduce/README.md': ['*.h', 'docs/*.md'],
    'samples/README.md': ['*/', '*.c', '*.cpp'],
    'shaders/vkreduce/README.md': ['group*.glsl', 'key.glsl', 'multireduce.glsl'],
    'tests/README.md': ['*/', '*.sh'],
}
RUN = 'samples/README.md'
MAX_LINES = {'README.md': 200}

BEGIN = re.compile(r'^<!-- ([a-z-]+) begin(?: (\S+))? -->$')
FENCE = re.compile(r'^```(\w*)$')
LINK = re.compile(r'\]\(([^)\s]+)\)')


def read(path):
    with open(path, encoding='utf-8') as file:
        return file.read()


class Report:
    def __init__(self):
        self.tests, self.failed = 0, 0

    def check(self, name, errors):
        self.tests += 1
        self.failed += bool(errors)
        print('not ok' if errors else 'ok', self.tests, '-', name)
        for error in errors:
            print('#', error)


def pages(root):
    found = glob.glob(os.path.join(root, '*.md'))
    for folder in FOLDERS:
        found += glob.glob(os.path.join(root, folder, '**', '*.md'), recursive=True)
    return sorted(found)


def excerpts(lines):
    """Yields (name, file, text) of marked excerpts, and (None, None, language) of other code."""
    mark, block, language = None, None, None
    for line in lines:
        begin, fence = BEGIN.match(line), FENCE.match(line)
        if begin:
            mark = begin.groups()
        elif mark and line == f'<!-- {mark[0]} end -->':
            mark = None
        elif block is not None and line == '```':
            if mark:
                yield *mark, '\n'.join(block) + '\n'
            elif language in ('c', 'cpp', 'glsl'):
                yield None, None, language
            block = None
        elif block is not None:
            block.append(line)
        elif fence:
            block, language = [], fence.group(1)
    if mark or block is not None:
        yield None, None, 'that does not end'


def wrong_excerpts(page, text):
    for name, file, code in excerpts(text.splitlines()):
        if name is None:
            yield f'code {code} without a file'
        elif file is None:
            if name not in CHECKED:
                yield f'"{name}" names no file'
        else:
            path = os.path.join(os.path.dirname(page), file)
            if not os.path.isfile(path) or '\n' + code not in '\n' + read(path):
                yield f'"{name}" does not stand in {file}'
    marked = re.findall(r'^ *<!--', text, re.M)
    known = re.findall(r'^<!-- [a-z-]+ (?:begin(?: \S+)?|end) -->$', text, re.M)
    if len(marked) != len(known):
        yield 'a comment is not a mark of an excerpt'


def anchor(heading):
    """The anchor of a heading, as GitHub and most other sites derive it."""
    heading = re.sub(r'\[([^]]*)\]\([^)]*\)', r'\1', heading)
    return re.sub(r'[^\w\- ]', '', heading.strip().lower()).replace(' ', '-')


def prose(text):
    return re.sub(r'^```.*?^```$', '', text, flags=re.M | re.S)


def anchors(path):
    return {anchor(h) for h in re.findall(r'^#+ (.*)$', prose(read(path)), re.M)}


def lost_links(page, text):
    for link in LINK.findall(prose(text)):
        if re.match(r'[a-z]+:', link):
            continue
        file, _, name = link.partition('#')
        path = os.path.join(os.path.dirname(page), file) if file else page
        if not os.path.exists(path):
            yield f'{link}: there is no such file'
        elif name and (not path.endswith('.md') or name not in anchors(path)):
            yield f'{link}: there is no such heading'


def unlisted(page, text, patterns):
    folder = os.path.dirname(page)
    links = {os.path.normpath(link.partition('#')[0]) for link in LINK.findall(text)}
    linked = links | {os.path.dirname(link) for link in links}
    for pattern in patterns:
        for path in glob.glob(os.path.join(folder, pattern)):
            name = os.path.normpath(os.path.relpath(path, folder))
            if name not in linked and name != '__pycache__':
                yield f'{name} is not listed'


# A public name, with a member; .. or * ends the common part of several names.
NAME = re.compile(r'\b((?:Vkr|VKR_|vkr[A-Z]|PFN_vkr)\w*)(?:::(\w+))?(\.\.|\*)?')
COMMENT = re.compile(r'/\*.*?\*/', re.S)


def declared(headers):
    """The public names, and the text of each struct."""
    code = '\n'.join(COMMENT.sub('', text) for text in headers)
    names = {match[1] for match in NAME.finditer(code)}
    structs = dict(match.groups()[::-1] for match in re.finditer(
        r'^typedef struct \w* ?\{(.*?)^\} (\w+);', code, re.S | re.M))
    return names, structs


def lost_names(text, names, structs):
    for name, member, common in NAME.findall(re.sub(r'\n *\* ?', ' ', text)):
        if common and any(other.startswith(name) for other in names):
            continue
        if name not in names:
            yield f'{name} is not declared'
        elif member and not re.search(rf'\b{member}\b', structs.get(name, '')):
            yield f'{name} has no member {member}'


def check_names(root, report):
    paths = sorted(glob.glob(os.path.join(root, 'include/vkreduce/*.h')))
    hooks = os.path.join(root, 'shaders/vkreduce/hook.glsl')  # for functions of applications
    names, structs = declared(map(read, paths + [hooks]))
    report.check('there are names', [] if len(names) > 300 and len(structs) > 30 else [len(names)])
    for path in paths + sorted(glob.glob(os.path.join(root, 'include/vkreduce/**/*.md'),
                                         recursive=True)):
        text = read(path)
        if path.endswith('.h'):
            text = '\n'.join(COMMENT.findall(text))
        report.check(f'names in {os.path.relpath(path, root)}',
                     list(lost_names(text, names, structs)))


def check_pages(root, report):
    found = pages(root)
    lost = [name for name in ('README.md', *LISTED) if os.path.join(root, name) not in found]
    report.check('the indices exist', lost)
    for page in found:
        name, text = os.path.relpath(page, root), read(page)
        errors = list(wrong_excerpts(page, text)) + list(lost_links(page, text))
        errors += list(unlisted(page, text, LISTED.get(name, [])))
        if text.count('\n') > MAX_LINES.get(name, 400):
            errors.append(f'{text.count(chr(10))} lines')
        report.check(name, errors)


# Numbers that pages name: the page, its text with the number, and the page whose lines of a pattern
# are counted.
WORDS = 'no one two three four five six seven eight nine ten eleven twelve'.split()
DOCS = 'include/vkreduce/docs/'
COUNTED = [
    ('include/vkreduce/README.md', r'each of (\w+) tasks', DOCS + 'tasks.md', r'^\| \[.*\]\(#'),
    ('include/vkreduce/README.md', r'(\w+) recordings', DOCS + 'functions.md', r'^## '),
    (DOCS + 'functions.md', r'The (\w+) recordings below', DOCS + 'functions.md', r'^## '),
]


def check_numbers(root, report):
    for page, said, counted, pattern in COUNTED:
        match = re.search(said, read(os.path.join(root, page)))
        count = len(re.findall(pattern, read(os.path.join(root, counted)), re.M))
        right = match and match[1] in WORDS and WORDS.index(match[1]) == count
        report.check(f'{page} counts what {counted} has', [] if right else
                     [f'{match and match[0]}, but there are {count}'])


def run_commands(root, runner, report):
    blocks = re.findall(r'^```sh\n(.*?)^```$', read(os.path.join(root, RUN)), re.M | re.S)
    commands = [line for block in blocks for line in block.splitlines() if 'vkreduce ' in line
                and not line.startswith('build/')]
    env = dict(os.environ, PATH=os.path.dirname(runner) + os.pathsep + os.environ['PATH'])
    report.check('there are commands', [] if commands else ['none'])
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(os.path.join(root, 'samples'), os.path.join(folder, 'samples'))
        for command in commands:
            done = subprocess.run(['sh', '-c', command], cwd=folder, env=env, check=False,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, text=True, errors='replace')
            report.check(command, done.stdout.splitlines() if done.returncode else [])


def main():
    report = Report()
    root = os.path.abspath(sys.argv[1])
    if len(sys.argv) > 2:
        run_commands(root, os.path.abspath(sys.argv[2]), report)
    else:
        check_pages(root, report)
        check_numbers(root, report)
        check_names(root, report)
    print(f'1..{report.tests}')
    return report.failed > 0


sys.exit(main())
