"""``snaphook sandbox run``: a command, confined.

words  ->  helper  ->  the command's exit code
"""

import os
import signal
import subprocess

from snaphook.cli.output import say
from snaphook.sandbox.appeared import remove_appeared

from .here import able_or_fail, command_words, here


def run_confined(words: tuple[str, ...], cwd: str) -> int:
    """Run *words* under the policy of *cwd*; afterwards take away protected names it created."""
    able_or_fail()
    place = here(cwd)
    policy, prefix = place.confiner.policy(place.world)
    kept = place.around.shared_dir / "sandbox" / "removed"
    process = subprocess.Popen([*prefix.words, *command_words(words)], cwd=place.world.cwd)
    status = _wait(process)
    for name in remove_appeared(policy.absent, kept):
        say(
            f"snaphook sandbox: removed '{name}': a confined command may not create it. "
            f"It is kept in {kept}.",
            err=True,
        )
    return status


def _wait(process: "subprocess.Popen[bytes]") -> int:
    """Return the command's exit code; signals that reach us are the command's."""
    for number in (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        signal.signal(number, lambda got, _frame: os.kill(process.pid, got))
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # a terminal sends it to the command as well
    code = process.wait()
    return code if code >= 0 else 128 - code
