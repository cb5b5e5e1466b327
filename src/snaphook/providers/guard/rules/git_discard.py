"""Throwing away work that was never committed."""

from __future__ import annotations

from snaphook.providers.guard.facts import Arg, Call, Span
from snaphook.providers.guard.judgement import Answer
from snaphook.providers.guard.paths import resolve
from snaphook.providers.guard.places import Place
from snaphook.providers.guard.programs.git import directory, settings, turned_on
from snaphook.providers.guard.rules.rule import Rule, Scene

_KEEPS = frozenset({"stash", "commit", "branch", "tag", "format-patch", "bundle"})


def resets_without_backup(call: Call, scene: Scene) -> Span | None:
    """Point at a hard reset of a tree known to hold work that is saved nowhere.

    Whether the tree holds such work is asked of git; a stash, commit, branch or tag earlier in
    the same command counts as a backup, and a linked worktree is made to be thrown away.

    Blocks: git reset --hard HEAD~1
    Allows: git reset --soft HEAD~1
    """
    if not _is_hard(call) or scene.world.clean(directory(call)) is not False:
        return None
    if any(one.subcommand in _KEEPS for one in scene.calls if one.program == "git"):
        return None
    return None if _disposable(call, scene) else call.span


def discards(call: Call, scene: Scene) -> Span | None:
    """Point at a call that overwrites or deletes uncommitted work.

    Asks: git reset --hard
    Asks: git reset --har HEAD~1
    Asks: git reset --merge
    Asks: git clean -fd
    Asks: git clean --forc
    Asks: git -c clean.requireForce=false clean
    Asks: git checkout -- src/app.py
    Asks: git checkout .
    Asks: git checkout HEAD~1 file.txt
    Asks: git checkout -f main
    Asks: git switch --discard-changes main
    Asks: git restore src/app.py
    Asks: git restore --staged --worktree .
    Asks: git stash drop
    Asks: git stash clear
    Asks: git rm -rf src
    Asks: git worktree remove --force ../topic
    Asks: git submodule deinit -f lib
    Allows: git reset HEAD~1
    Allows: git reset --soft HEAD~1
    Allows: git clean -nd
    Allows: git clean --dry-run --force
    Allows: git checkout main
    Allows: git checkout -b topic origin/main
    Allows: git checkout --orphan pages
    Allows: git switch -c topic
    Allows: git restore --staged src/app.py
    Allows: git stash pop
    Allows: git rm --cached -f secrets.txt
    Allows: git worktree remove ../topic
    Allows: git log --grep "reset --hard"
    Allows: cd /tmp/clone && git reset --hard origin/main
    """
    found = _DISCARDS.get(call.subcommand)
    if found is None or call.has("--help", "-h"):
        return None
    if not (found(call) or _names_file(call, scene)):
        return None
    return None if _disposable(call, scene) else call.span


def _disposable(call: Call, scene: Scene) -> bool:
    """Say whether git works where nothing is meant to last: a linked worktree, a temp folder."""
    where = directory(call)
    return scene.places.of(where) is Place.TEMP or scene.world.linked_worktree(where)


def _names_file(call: Call, scene: Scene) -> bool:
    """Say whether the one operand of checkout is a file that is there: then it is no branch."""
    words = call.operands[1:]
    return (
        call.subcommand == "checkout"
        and len(words) == 1
        and not call.has("-b", "-B", "--orphan", "--track", "--detach")
        and scene.world.kind(resolve(words[0].value, directory(call))) == "file"
    )


def _is_hard(call: Call) -> bool:
    return call.subcommand == "reset" and call.has("--hard")


def _reset(call: Call) -> bool:
    return call.has("--hard", "--merge") or any(
        option in ("--h", "--ha", "--har", "--me", "--mer") for option, _ in call.options.given
    )


def _clean(call: Call) -> bool:
    if turned_on(call, "--dry-run"):
        return False
    required = [value for key, value, _ in settings(call) if key == "clean.requireforce"]
    unforced = bool(required) and required[-1].lower() in ("false", "no", "off", "0")
    return unforced or turned_on(call, "--force") or call.has("--interactive")


def _checkout(call: Call) -> bool:
    if turned_on(call, "--force"):
        return True
    if turned_on(call, "--patch"):
        return False
    if call.has("--pathspec-from-file"):
        return True
    words = call.operands[1:]
    if call.has("-b", "-B", "--orphan"):
        return False
    if call.options.ended >= 0:
        return 0 < call.options.ended <= len(words)
    return len(_beyond_modes(call, words)) > 1 or any(_is_path(arg) for arg in words)


def _beyond_modes(call: Call, words: tuple[Arg, ...]) -> tuple[Arg, ...]:
    """Return *words* without one that older gits read as the mode of an option."""
    if words and words[0].text in ("direct", "inherit", "checkout", "on-demand"):
        return words[1:] if call.has("--track", "--recurse-submodules") else words
    return words


def _is_path(arg: Arg) -> bool:
    """Say whether a lone operand of checkout is surely a path and no branch."""
    text = arg.text
    return text in (".", "..", "*", ":/") or text.startswith(("./", "../", ":/", ":(", "*."))


def _switch(call: Call) -> bool:
    return turned_on(call, "--force") or call.has("--discard-changes")


def _restore(call: Call) -> bool:
    if call.has("--version"):
        return False
    worktree, staged = turned_on(call, "--worktree"), turned_on(call, "--staged")
    explicit = call.has("--worktree", "--no-worktree", "--no-staged")
    if not (worktree or (not staged and not explicit)):
        return False
    paths = call.operands[1:] or call.get("--pathspec-from-file")
    return bool(paths) or turned_on(call, "--patch")


def _stash(call: Call) -> bool:
    return len(call.operands) > 1 and call.operands[1].text in ("drop", "clear")


def _rm(call: Call) -> bool:
    return turned_on(call, "--force") and not (
        turned_on(call, "--cached") or turned_on(call, "--dry-run")
    )


def _worktree(call: Call) -> bool:
    return call.options.starts(("worktree", "remove")) and call.has("--force")


def _submodule(call: Call) -> bool:
    return call.options.starts(("submodule", "deinit")) and call.has("--force", "--all")


def _read_tree(call: Call) -> bool:
    return call.has("--reset")


def _checkout_index(call: Call) -> bool:
    return call.has("-f", "--force")


_DISCARDS = {
    "reset": _reset,
    "clean": _clean,
    "checkout": _checkout,
    "switch": _switch,
    "restore": _restore,
    "stash": _stash,
    "rm": _rm,
    "worktree": _worktree,
    "submodule": _submodule,
    "read-tree": _read_tree,
    "checkout-index": _checkout_index,
}

_WHY = "git cannot bring back what was never committed"

RULES = (
    Rule(
        id="git.reset-unsaved",
        answer=Answer.DENY,
        says="resets a tree that holds unsaved work",
        why=_WHY,
        instead="Save it first: git stash -u, or a commit on a branch.",
        programs=("git",),
        objects_to=resets_without_backup,
    ),
    Rule(
        id="git.discard",
        answer=Answer.ASK,
        says="throws away uncommitted work",
        why=_WHY,
        instead="Save it first (git stash -u), or rehearse with --dry-run.",
        programs=("git",),
        objects_to=discards,
    ),
)
