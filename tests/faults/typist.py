"""Run a command at a terminal of our own, detached from whoever started us, and type answers.

python typist.py LOG ANSWER… -- COMMAND…
"""

import os
import pty
import select
import sys
import time

cut = sys.argv.index("--")
log, answers, command = sys.argv[1], sys.argv[2:cut], sys.argv[cut + 1 :]
if os.fork():
    while not (os.path.exists(log) and "END" in open(log).read()):  # noqa: PTH110, PTH123, SIM115
        time.sleep(0.05)
    os._exit(0)
with open(log, "w"):  # noqa: PTH123
    pass
os.setsid()
if os.fork():
    os._exit(0)
pid, end = pty.fork()
if pid == 0:
    os.execvp("sh", ["sh", "-c", 'sleep 0.1; "$@"; true', "sh", *command])
seen = b""
while True:
    try:
        if select.select([end], [], [], 30)[0]:
            seen += os.read(end, 65536)
    except OSError:
        break
    if answers and seen.count(b": ") > 0 and seen.rstrip(b" ").endswith(b":"):
        os.write(end, answers.pop(0).encode() + b"\n")
        seen += b"\n"
with open(log, "ab") as file:  # noqa: PTH123
    file.write(seen + b"\nEND\n")
