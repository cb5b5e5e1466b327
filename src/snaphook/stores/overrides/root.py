"""Proof by the operating system: a file that only root could have written.

challenge  ->  sudo or pkexec asks for a password  ->  /run/snaphook/UID/CHALLENGE, owned by root

Only programs of the system run as root, never ours: our code lies in folders that an agent can write.
Worth nothing where sudo asks for no password, or where the user is root; both are refused.
"""

import os
import shutil
import stat
import subprocess
import sys
from hashlib import sha256
from pathlib import Path

PLACE = Path("/var/run" if sys.platform == "darwin" else "/run") / "snaphook"
_SYSTEM = ("/usr/bin", "/bin", "/usr/sbin", "/sbin", "/run/wrappers/bin")
"""Where programs of the system are. PATH is not asked: an agent can put a sudo of its own there."""
PATIENCE = 5.0


def place_of(challenge: str) -> Path:
    """Return where root's answer to *challenge* is expected."""
    return PLACE / str(os.getuid()) / challenge


def answer_to(message: bytes) -> bytes:
    """Return what root has to write: the hash of the terms."""
    return sha256(message).hexdigest().encode()


def command(place: Path) -> tuple[str, ...]:
    """Return the command that has root write its standard input to *place*; none if there is no way.

    ``-k`` has sudo ask even where it asked a moment ago.
    """
    install = system_program("install")
    if not install or os.getuid() == 0:
        return ()
    writes = (install, "-D", "-m", "0644", "-o", "0", "-g", "0", "/dev/stdin", str(place))
    if sudo := system_program("sudo"):
        return (sudo, "-k", "-p", "Password for %u (sudo): ", *writes)
    if pkexec := system_program("pkexec"):
        return (pkexec, *writes)
    return ()


def asks_no_password() -> bool:
    """Return whether sudo lets this user do anything without a password."""
    sudo = system_program("sudo")
    if not sudo:
        return False
    try:
        asked = subprocess.run(
            [sudo, "-k", "-n", system_program("true") or "true"],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return True
    return asked.returncode == 0


def is_proved(challenge: str, message: bytes) -> bool:
    """Return whether root has agreed to *message*."""
    place = place_of(challenge)
    if os.getuid() == 0 or not is_roots_own(place) or asks_no_password():
        return False
    return place.read_bytes().strip() == answer_to(message)


def is_roots_own(path: Path) -> bool:
    """Return whether *path* is a plain file that root alone could have put there."""
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return False
        return all(_only_root_writes(one) for one in (path, *path.resolve(strict=True).parents))
    except OSError:
        return False


def system_program(name: str) -> str:
    """Return the system's program *name*; nothing if it has none."""
    return shutil.which(name, path=os.pathsep.join(_SYSTEM)) or ""


def _only_root_writes(path: Path) -> bool:
    about = path.lstat()
    return about.st_uid == 0 and not about.st_mode & 0o022
