"""Which git commands only read, and which stay inside the project.

Call of git  ->  the reason why it is not approved, or nothing
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from snaphook.providers.guard.approval.arguments import has_option, operands

_READS_TEXT = """
    status log diff show rev-parse describe ls-files ls-tree cat-file blame annotate shortlog rev-list
    name-rev merge-base diff-tree diff-index diff-files for-each-ref show-ref count-objects
    check-ignore check-attr version whatchanged cherry range-diff grep var show-branch
    """
_READS = frozenset(_READS_TEXT.split())
_DENIED = ("--output", "--ext-diff", "--textconv", "-O", "--open-files-in-pager", "--filters")
"""Options that write a file or run a program which the repository names."""
_LISTS: Mapping[str, frozenset[str]] = {
    name: frozenset(words.split())
    for name, words in {
        "branch": "-a -r -v -vv -av -avv -rv --all --remotes --list -l --show-current --verbose --no-color",
        "tag": "-l --list -n --no-color",
        "remote": "-v --verbose",
        "stash": "list show -p --patch --stat --name-only",
        "worktree": "list --porcelain",
        "reflog": "show -n --oneline --all",
        "submodule": "status",
        "notes": "list show",
        "bisect": "log view",
    }.items()
}
"""Commands that only read when they are given nothing but these words."""
_LIST_PREFIXES = (
    "--sort=", "--format=", "--contains", "--merged", "--no-merged", "--points-at", "--column",
    "stash@{", "HEAD@{",
)  # fmt: skip
_WRITES = frozenset({"add", "commit", "mv"})
_WRITE_DENIED: Mapping[str, tuple[str, ...]] = {
    "add": ("-i", "--interactive", "-p", "--patch", "-e", "--edit", "-f", "--force"),
    "commit": (
        "--amend", "-n", "--no-verify", "-c", "-C", "--reedit-message", "--reuse-message", "-e",
        "--fixup", "--squash", "-S", "--gpg-sign", "--reset-author", "--author", "--date",
        "-F", "--file", "-t", "--template", "-i", "-o", "--allow-empty-message",
    ),
    "mv": ("-f", "--force"),
}  # fmt: skip
_NEW_BRANCH: Mapping[str, frozenset[str]] = {
    "checkout": frozenset({"-b"}),
    "switch": frozenset({"-c", "--create"}),
}
_PLAIN_KEYS = ("user.", "core.", "init.", "branch.", "pull.", "push.", "color.")
_GLOBAL = frozenset({"--no-pager", "-P", "--no-optional-locks", "--literal-pathspecs"})


def split(values: Sequence[str]) -> tuple[list[str], str, list[str]]:
    """Return git's own options, the command, and the words after it."""
    at = 0
    while at < len(values) and values[at][:1] == "-":
        at += 2 if values[at] == "-C" else 1
    return list(values[:at]), values[at] if at < len(values) else "", list(values[at + 1 :])


def directories(own: Sequence[str]) -> list[str]:
    """Return the folders that `-C` names."""
    return [own[at + 1] for at, one in enumerate(own[:-1]) if one == "-C"]


def only_reads(own: Sequence[str], verb: str, rest: Sequence[str]) -> bool:
    """Say whether `git verb` with these words changes nothing and runs nothing."""
    if not _plain_globals(own):
        return False
    if not verb:
        return list(own) == ["--version"] or not own
    if verb in _READS:
        return not has_option([one for one in rest if not _is_number(one)], _DENIED)
    if verb in _LISTS:
        return all(one in _LISTS[verb] or one.startswith(_LIST_PREFIXES) for one in rest)
    if verb == "config":
        return _reads_config(rest)
    return verb == "help" and not rest


def _is_number(word: str) -> bool:
    return word[:1] == "-" and word[1:].isdigit()


def _plain_globals(own: Sequence[str]) -> bool:
    """Say whether git's own options only choose a folder or the output: `-c` may name a program."""
    taken = iter(own)
    for one in taken:
        if one == "-C":
            next(taken, None)
        elif one not in _GLOBAL and not (one == "--version" and len(own) == 1):
            return False
    return True


def _reads_config(rest: Sequence[str]) -> bool:
    """Say whether one setting is read that holds no token: addresses and headers may."""
    names = list(operands(rest))
    flags = [one for one in rest if one not in names]
    wanted = names[0].lower() if len(names) == 1 else ""
    return flags in ([], ["--get"]) and wanted.startswith(_PLAIN_KEYS)


def stays_in_project(own: Sequence[str], verb: str, rest: Sequence[str]) -> bool:
    """Say whether `git verb` only records work of the project: it drops and sends nothing."""
    if not _plain_globals(own):
        return False
    if verb in _WRITES:
        return not has_option(_without_messages(rest), _WRITE_DENIED[verb])
    if verb in _NEW_BRANCH:
        return len(rest) == 2 and rest[0] in _NEW_BRANCH[verb] and rest[1].isascii()
    return (
        verb == "branch" and len(rest) == 1 and rest[0][:1] not in ("-", "") and rest[0].isascii()
    )


def _without_messages(rest: Sequence[str]) -> list[str]:
    """Return the words without the texts of messages: those may say whatever they like."""
    kept: list[str] = []
    skip = False
    for one in rest:
        if skip:
            skip = False
        elif one in ("-m", "--message", "-am", "-qm", "-sm", "-asm"):
            skip = True
            kept.append("-a" if "a" in one else "-q")
        elif not one.startswith("--message="):
            kept.append(one)
    return kept
