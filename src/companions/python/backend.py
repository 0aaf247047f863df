# SPDX-License-Identifier: MIT
"""What `pip install .` calls (PEP 517): builds the two libraries with Meson, with zstd inside, and
puts them beside the package into a wheel for every Python 3.

It is not meson-python, since wheels of that, as of Debian 12, belong to one version of Python as
soon as they contain a library, and have everything in them that the project installs.
"""
import base64
import glob
import hashlib
import os
import re
import subprocess
import sysconfig
import tempfile
import zipfile

ROOT = os.path.abspath(os.path.join(os.path.dirname(__file__), '..', '..', '..'))
OPTIONS = ['--default-library=shared', '-Dprefer_static=true', '-Dtests=false',
           '-Dsamples=false', '-Dbench=false', '-Dglsl=disabled', '-Dmpi=disabled',
           '-Dpython=enabled', '--prefix=/vkreduce', '--libdir=lib']
METADATA = '''Metadata-Version: 2.1
Name: vkreduce
Version: {version}
Summary: Reductions, scans, sorts, groups and histograms of arrays on any device that has Vulkan
License: MIT
Requires-Python: >=3.9
'''
WHEEL = '''Wheel-Version: 1.0
Generator: vkreduce
Root-Is-Purelib: false
Tag: {tag}
'''


def find_version():
    with open(os.path.join(ROOT, 'meson.build'), encoding='utf-8') as file:
        return re.search(r"version: '([\d.]+)'", file.read())[1]


def build(folder, settings):
    """The wheel's files: a dictionary from names to contents."""
    extra = (settings or {}).get('setup-args', [])
    tree, root = os.path.join(folder, 'build'), os.path.join(folder, 'root')
    subprocess.run(['meson', 'setup', tree, ROOT, *OPTIONS,
                    *([extra] if isinstance(extra, str) else extra)], check=True)
    subprocess.run(['meson', 'compile', '-C', tree], check=True)
    subprocess.run(['meson', 'install', '-C', tree, '--no-rebuild', '--strip', '--destdir', root,
                    '--tags', 'runtime'], check=True)
    files = {}
    for path in glob.glob(os.path.join(tree, 'src/companions/python/vkreduce/*py*')):
        if os.path.isdir(path):
            continue
        with open(path, 'rb') as file:
            files['vkreduce/' + os.path.basename(path)] = file.read()
    # The libraries lie beside the package's files, and nowhere else.
    files['vkreduce/_build.py'] = re.sub(rb'FOLDERS = .*', b'FOLDERS = []',
                                         files['vkreduce/_build.py'])
    libraries = re.search(rb'LIBRARIES = .*', files['vkreduce/_build.py'])[0]
    for name in re.findall(r"'(lib[^']+)'", libraries.decode()):
        with open(os.path.join(root, 'vkreduce/lib', name), 'rb') as file:
            files['vkreduce/' + name] = file.read()
    with open(os.path.join(ROOT, 'LICENSE'), 'rb') as file:
        files['vkreduce/LICENSE'] = file.read()
    return files


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = find_version()
    tag = 'py3-none-' + re.sub(r'[-.]', '_', sysconfig.get_platform())
    information = f'vkreduce-{version}.dist-info/'
    with tempfile.TemporaryDirectory() as folder:
        files = build(folder, config_settings)
    files[information + 'METADATA'] = METADATA.format(version=version).encode()
    files[information + 'WHEEL'] = WHEEL.format(tag=tag).encode()
    record = ''
    for name, data in files.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()
        record += f'{name},sha256={digest},{len(data)}\n'
    files[information + 'RECORD'] = (record + f'{information}RECORD,,\n').encode()
    wheel = f'vkreduce-{version}-{tag}.whl'
    path = os.path.join(wheel_directory, wheel)
    with zipfile.ZipFile(path, 'w', zipfile.ZIP_DEFLATED) as archive:
        for name in sorted(files):
            archive.writestr(name, files[name])
    return wheel


def build_sdist(sdist_directory, config_settings=None):
    raise RuntimeError('there are no source packages of vkreduce; use its repository')
