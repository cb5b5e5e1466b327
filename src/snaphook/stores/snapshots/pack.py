"""Many files into one git commit, with one start of git.

paths and bytes  ->  git fast-import  ->  a ref that holds them

Bytes go in as they are: no filter, no line ending is touched. The ref appears last, so a ref that is
there leads to everything.
"""

import os

from .git import Git


class Pack:
    """A commit in the making."""

    def __init__(self, ref: str, message: str, time: float, parents: tuple[str, ...]) -> None:
        self._ref = ref
        self._message = message.encode(errors="replace")
        self._time = int(time)
        self._parents = parents
        self._blobs: list[tuple[str, bytes]] = []
        self._named: list[tuple[str, str]] = []

    def hold(self, path: str, raw: bytes) -> None:
        """Put *raw* at *path* of the commit."""
        self._blobs.append((path, raw))

    def name(self, path: str, existing: str) -> None:
        """Put an object that is there already at *path*, so that it stays there."""
        self._named.append((path, existing))

    def write(self, git: Git) -> dict[str, str]:
        """Write it all, and return the object of each path that was given as bytes."""
        parts: list[bytes] = [b"feature done\n"]
        for mark, (_, raw) in enumerate(self._blobs, 1):
            parts += [b"blob\nmark :%d\ndata %d\n" % (mark, len(raw)), raw, b"\n"]
        parts.append(self._commit())
        for mark in range(1, len(self._blobs) + 1):
            parts.append(b"get-mark :%d\n" % mark)
        parts.append(b"done\n")
        told = git("fast-import", "--quiet", "--force", "--date-format=raw", stdin=b"".join(parts))
        return dict(zip((path for path, _ in self._blobs), told.decode().split(), strict=True))

    def _commit(self) -> bytes:
        who = b"committer Snaphook <snaphook@localhost> %d +0000\n" % self._time
        lines = [b"commit %s\n" % self._ref.encode(), who]
        lines += [b"data %d\n" % len(self._message), self._message, b"\n"]
        words = (b"from", *[b"merge"] * len(self._parents))
        lines += [
            b"%s %s\n" % (word, parent.encode())
            for word, parent in zip(words, self._parents, strict=False)
        ]
        lines.append(b"deleteall\n")
        for mark, (path, _) in enumerate(self._blobs, 1):
            lines.append(b"M 100644 :%d %s\n" % (mark, _quoted(path)))
        lines += [b"M 100644 %s %s\n" % (old.encode(), _quoted(at)) for at, old in self._named]
        return b"".join([*lines, b"\n"])


def _quoted(path: str) -> bytes:
    """Return *path* as git quotes one."""
    plain = os.fsencode(path).replace(b"\\", b"\\\\").replace(b'"', b'\\"').replace(b"\n", b"\\n")
    return b'"%s"' % plain
