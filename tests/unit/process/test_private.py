"""Nobody of the same user looks into a process that holds secrets."""

import os
import subprocess
import sys

import pytest

_CLOSED = """
import contextlib, ctypes, os
from snaphook.process.private import make_private

libc = ctypes.CDLL(None, use_errno=True)
if os.getuid() == 0:  # root may look at everything: be somebody else
    with contextlib.suppress(PermissionError):
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)

def looked_at(closed):
    ready, go = os.pipe(), os.pipe()
    child = os.fork()
    if child == 0:
        libc.prctl(4, 1, 0, 0, 0)
        if closed:
            make_private()
        os.write(ready[1], b"!")
        os.read(go[0], 1)
        os._exit(0)
    os.read(ready[0], 1)
    seen = []
    with contextlib.suppress(PermissionError):
        open(f"/proc/{child}/mem", "rb").close()
        seen.append("read")
    if libc.ptrace(16, child, 0, 0) == 0:
        seen.append("attached")
        os.waitpid(child, 0)
        libc.ptrace(17, child, 0, 0)
    os.write(go[1], b"!")
    os.waitpid(child, 0)
    return "+".join(seen) or "nothing"

print(looked_at(False), looked_at(True))
"""


@pytest.mark.req("BB-PT-8")
@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_no_process_of_the_same_user_looks_into_the_daemons_memory(give_up):
    done = subprocess.run(
        [sys.executable, "-c", _CLOSED], capture_output=True, text=True, check=True, env=os.environ
    )

    before, after = done.stdout.split()
    if before == "nothing":
        give_up("this system lets no process look at another: there is nothing to prove")
    assert after == "nothing"
