# SPDX-License-Identifier: MIT
"""The files of a source tree, and the places of mutants in them."""
import os
import shutil
import subprocess

CODE = ('.c', '.comp', '.glsl')


def listed(root):
    """The files of a source tree, relative to it: those that Git knows or does not ignore, as they
    are in the working tree. Without Git, all files but hidden ones and those of build folders."""
    if os.path.exists(os.path.join(root, '.git')) and shutil.which('git'):
        command = ['git', '-c', f'safe.directory={root}', '-C', root, 'ls-files', '-z', '--cached',
                   '--others', '--exclude-standard']
        names = subprocess.run(command, check=True, stdout=subprocess.PIPE,
                               text=True).stdout.split('\0')
    else:
        names = []
        for folder, folders, files in os.walk(root):
            folders[:] = [name for name in folders if not name.startswith('.') and
                          not os.path.exists(os.path.join(folder, name, 'build.ninja'))]
            names += [os.path.relpath(os.path.join(folder, name), root) for name in files
                      if not name.endswith('.pyc')]
    return sorted({name for name in names if os.path.isfile(os.path.join(root, name))})


class Tree:
    """A source tree. Mutants change any file of it except those of tests/."""

    def __init__(self, root):
        self.root = root
        self.names = [name for name in listed(root) if not name.startswith('tests/')]
        self.texts = {}

    def text(self, name):
        if name not in self.texts:
            with open(os.path.join(self.root, name), encoding='utf-8') as file:
                self.texts[name] = file.read()
        return self.texts[name]

    def find(self, mutant):
        """The file that a mutant changes: the one of its name or, since functions move, the only
        one of the same type that contains the mutant's text. Returns its name, or None and why
        there is no such file."""
        kind = os.path.splitext(mutant.file)[1]
        counts = {name: self.text(name).count(mutant.search) for name in self.names
                  if ('/' + name).endswith('/' + mutant.file)}
        if list(counts.values()).count(1) != 1:
            counts = {name: self.text(name).count(mutant.search) for name in self.names
                      if os.path.splitext(name)[1] == kind}
        found = [name for name, count in counts.items() if count == 1]
        if len(found) == 1 and (sum(counts.values()) == 1 or
                                ('/' + found[0]).endswith('/' + mutant.file)):
            return found[0], ''
        places = ', '.join(f'{name} ({count} times)' for name, count in counts.items() if count)
        return None, f'its text must occur once, but is in {places or "no file"}'

    def folders(self):
        """The folders with code of libraries and of shaders: all but those of samples."""
        return sorted({os.path.dirname(name) for name in self.names
                       if name.endswith(CODE) and not name.startswith('samples/')})
