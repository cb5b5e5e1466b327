"""Whether a generated index belongs to the files it was made from.

folder of modules  ->  stamps        index + folder + stamps  ->  may it be believed?

A stamp is one module's name, size and checksum; each has a line of its own, so that two people who change
two modules do not meet in one line.
"""

import os

SUFFIX = ".py"


def stamps(folder: str) -> str:
    """Return a stamp for each module of *folder*, a line each."""
    from zlib import crc32

    lines = []
    for name in sorted(os.listdir(folder)):  # noqa: PTH208 - asked before anything is loaded
        if name.endswith(SUFFIX):
            with open(os.path.join(folder, name), "rb") as file:  # noqa: PTH118, PTH123
                text = file.read()
            lines.append(f"{name.removesuffix(SUFFIX)} {len(text)} {crc32(text):08x}")
    return "\n".join(lines)


def is_current(index: str | None, folder: str, written: str) -> bool:
    """Say whether the stamps *written* into *index* are still those of *folder*.

    Names and sizes are compared each time; the contents are read only where a file is newer than the
    index. An installer writes files in the order of their names, so an index is named to come after its
    folder (``rules/`` before ``rules_index.py``), and an installed package is not read whole.
    """
    noted = {name: int(size) for name, size, _ in map(str.split, written.strip().splitlines())}
    try:
        with os.scandir(folder) as entries:
            found = {
                entry.name.removesuffix(SUFFIX): entry.stat()
                for entry in entries
                if entry.name.endswith(SUFFIX)
            }
        if {name: one.st_size for name, one in found.items()} != noted:
            return False
        newest = max(one.st_mtime_ns for one in found.values())
        if newest <= os.stat(index or "").st_mtime_ns:  # noqa: PTH116
            return True
        return stamps(folder) == written.strip()
    except OSError:
        return True  # inside an archive, where nobody edits one file without the other
