"""Which Python is proved harmless, and by which ways nothing gets around the proof."""

import pytest

from snaphook.providers.guard.approval.python_code import prove_python


@pytest.mark.parametrize(
    "code",
    [
        "print(sum(range(10)))",
        "import json, sys\nprint(json.load(open('a.json')), file=sys.stderr)",
        "from pathlib import Path\nprint(Path('a.txt').read_text().replace('a', 'b'))",
        "import os\nfor a, b, c in os.walk('.'): print(a)",
        "with open('a.txt') as f:\n    print(f.read())",
        "import re\nm = re.match('a', 'ab')\nprint(m.start())",
        "if __name__ == '__main__':\n    print(1)",
    ],
)
def test_code_that_reads_and_prints_is_proved(code):
    assert prove_python(code).reason == ""


@pytest.mark.parametrize(
    "code",
    [
        "import numpy as np\nprint(np.zeros(3))",
        "from app.models import User\nprint(User)",
        "open('out.txt', 'w').write('x')",
        "with open('out.txt', 'w') as f:\n    f.write('x')",
        "import json\nwith open('o.json', 'w') as f:\n    json.dump({}, f)",
        "from pathlib import Path\nPath('a.txt').write_text('x')",
    ],
)
def test_only_in_a_trusted_project(code):
    assert prove_python(code, trusted=True).reason == ""
    assert prove_python(code).reason != ""


@pytest.mark.parametrize(
    "code",
    [
        "import os; os.system('id')",
        "from os import system",
        "import os as o; o.remove('x')",
        "import logging; logging.os.system('id')",
        "import sys; sys.modules['os'].system('id')",
        "import operator, os; operator.attrgetter('system')(os)('id')",
        "import inspect, os; dict(inspect.getmembers(os))['system']('id')",
        "import os\nmatch os:\n    case object(system=f): f('id')",
        "import string, os; string.Formatter().get_field('0.system', [os], {})",
        "getattr(1, 'x')",
        "eval('1')",
        "exec('1')",
        "compile('1', '', 'exec')",
        "__import__('os')",
        "print.__self__",
        "''.__class__.__mro__",
        "(lambda: 0).__globals__",
        "import io; io.FileIO('x', 'w')",
        "import io; io.open('x', 'w')",
        "import io; io.open('r', 'w')",
        "open('x', mode='w')" + "; open(y)",
        "o = open; o('x', 'w')" + "\nopen = 1",
        "open(*['x', 'w'])",
        "open('x', **{'mode': 'w'})",
        "import timeit; timeit.timeit('1')",
        "import pydoc; pydoc.locate('os.system')",
        "import subprocess",
        "import urllib.request",
        "import socket",
        "import ctypes",
        "import shutil",
        "import requests",
        "from pathlib import Path; Path('a').unlink()",
        "from pathlib import Path; Path('a').rename('b')",
        "from pathlib import Path; Path('a').replace('b')",
        "from pathlib import Path; Path.home()",
        "import os; os.environ['X']",
        "import os; print(os.getenv('TOKEN'))",
        "import importlib; importlib.import_module('os')",
        "import logging; logging.basicConfig(filename='x')",
        "from app import User; User.objects.all().delete()",
        "def f(:",
    ],
)
def test_nothing_gets_around_the_proof_even_in_a_trusted_project(code):
    assert prove_python(code, trusted=True).reason.startswith("runs Python that")


def test_the_files_that_are_read_and_written_are_told():
    proof = prove_python(
        "a = open('/etc/hosts').read()\nopen('b.txt', 'w').write(a)\n", trusted=True
    )

    assert "/etc/hosts" in proof.reads
    assert proof.writes == ("b.txt",)
