"""``snaphook sandbox run``: a command, confined.

words  ->  helper  ->  the command's exit code
"""

import os
import signal
import subprocess
import time
from pathlib import Path

from snaphook.cli.output import say
from snaphook.sandbox.appeared import move_appeared
from snaphook.sandbox.reports import tag_of, take_reports

from .here import able_or_fail, command_words, here

MOST_SHOWN = 20


def run_confined(words: tuple[str, ...], cwd: str) -> int:
    """Run *words* under the policy of *cwd*; afterwards say what was refused."""
    able = able_or_fail()
    place = here(cwd)
    sandbox = place.around.shared_dir / "sandbox"
    tag = tag_of(f"run {os.getpid()} {time.time_ns()}", "")
    policy, prefix = place.confiner.policy(place.world, tag=tag)
    process = subprocess.Popen([*prefix.words, *command_words(words)], cwd=place.world.cwd)
    status = _wait(process)
    for refusal in take_reports(sandbox / "refused", tag)[:MOST_SHOWN]:
        say(f"snaphook sandbox: refused: {refusal}", err=True)
    if not able.watcher:
        _move_appeared(policy.absent, sandbox / "removed")
    return status


def _move_appeared(absent: tuple[str, ...], kept: Path) -> None:
    for name, now in move_appeared(absent, kept):
        say(
            f"snaphook sandbox: moved '{name}' to {now}: a confined command may not create it. "
            "If you made it, move it back.",
            err=True,
        )


def _wait(process: "subprocess.Popen[bytes]") -> int:
    """Return the command's exit code; signals that reach us are the command's."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda got, _frame: os.kill(process.pid, got))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the command as well
    code = process.wait()
    return code if code >= 0 else 128 - code
