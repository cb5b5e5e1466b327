"""Throwing away work that was never committed."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import PathClass
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Arg, Call, Effect, Span
from snaphook.shell.paths import resolve
from snaphook.shell.programs.git import directory, repository, settings, turned_on
from snaphook.shell.repository import Repository
from snaphook.shell.text import UNKNOWN, is_known

_KEEPS = frozenset({"stash", "commit", "branch", "tag", "format-patch", "bundle"})
_NO_BACKUP = frozenset({"drop", "clear", "pop", "list", "show", "apply"})
_STAGES = frozenset(
    {"add", "stage", "rm", "mv", "update-index", "apply", "stash", "read-tree", "am"}
)
"""Subcommands after which git's word from before the command no longer holds."""


def resets_without_backup(call: Call, scene: RuleContext) -> Span | None:
    """Point at a hard reset of a tree known to hold work that is saved nowhere.

    Whether the tree holds such work is asked of git, in linked worktrees and submodules as well; a
    stash, commit, branch or tag earlier in the same command counts as a backup.

    Blocks: git reset --hard HEAD~1
    Allows: git reset --soft HEAD~1
    """
    if not _is_hard(call) or _loses(call, scene) is not True:
        return None
    if any(_saves(one) for one in scene.calls):
        return None
    return None if _disposable(call, scene) else call.span


def _saves(call: Call) -> bool:
    """Say whether *call* keeps the work that is there: a stash, a commit, a name for it."""
    if call.program != "git" or call.subcommand not in _KEEPS:
        return False
    verb = call.operands[1].text if len(call.operands) > 1 else ""
    return not (call.subcommand == "stash" and verb in _NO_BACKUP)


def discards(call: Call, scene: RuleContext) -> Span | None:
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
    Asks: git submodule update --init --force
    Asks: git diff | git apply -R
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
    if _disposable(call, scene) or _loses(call, scene) is False:
        return None
    return call.span


def reverts(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a changed file that is written over with the text git has of it.

    Asks: git show HEAD:src/app.py > src/app.py
    Asks: git cat-file -p HEAD:src/app.py > src/app.py
    Allows: git show HEAD:src/app.py > /tmp/app.py
    """
    if scene.world.committed(effect.path) is True or scene.world.exists(effect.path) is False:
        return None
    for call in scene.calls:
        if call.program == "git" and call.subcommand in ("show", "cat-file"):
            shown = [arg.text.partition(":")[2] for arg in call.operands[1:]]
            if any(name and resolve(name, directory(call)) == effect.path for name in shown):
                return effect.span
    return None


def _disposable(call: Call, scene: RuleContext) -> bool:
    """Say whether git works among temporary files, in a copy that is not another work tree of ours."""
    where = directory(call)
    return scene.places.of(where) is PathClass.TEMP and not scene.world.linked_worktree(where)


def _loses(call: Call, scene: RuleContext) -> bool | None:
    """Say whether *call* throws something away; nothing where git cannot tell.

    A hard reset to another commit leaves commits behind, whatever the work tree holds.
    """
    unsaved = _is_unsaved(call, scene)
    return None if unsaved is False and _moves_branch(call) else unsaved


def _is_unsaved(call: Call, scene: RuleContext) -> bool | None:
    """Say whether what *call* throws away is held by no commit.

    Staging what was untracked, earlier in the same command, makes it part of what a reset takes.
    """
    if call.remote or UNKNOWN in directory(call) or call.subcommand == "stash":
        return None
    if (
        call.subcommand == "submodule"
        or "git submodule" in call.via
        or call.has("--recurse-submodules")
    ):
        return None  # git is not asked about submodules: their settings would be run
    takes_ignored = call.subcommand == "clean" and call.has("-x", "-X")
    found = scene.world.unsaved(*_scope(call, scene), ignored=takes_ignored)
    if found is None:
        return None
    if call.subcommand in _WHOLE or any(_stages(one) for one in scene.calls if one is not call):
        return bool(found)
    if call.subcommand == "clean":
        return found.ignored if call.has("-X") else found.untracked or found.ignored
    return found.tracked


_WHOLE = frozenset({"worktree"})
"""Subcommands that take untracked files along with changes."""


def _stages(call: Call) -> bool:
    return call.program == "git" and call.subcommand in _STAGES


def _moves_branch(call: Call) -> bool:
    """Say whether a reset also leaves commits behind: it names a commit other than the current."""
    names = [arg.text for arg in call.operands[1:]]
    return call.subcommand == "reset" and any(name not in ("HEAD", "@") for name in names)


def _scope(call: Call, scene: RuleContext) -> tuple[Repository, tuple[str, ...]]:
    """Return the work tree that *call* changes, and the paths in it where it names some."""
    where = repository(call)
    words = call.operands[1:]
    if call.options.starts(("worktree", "remove")):
        return Repository(cwd=resolve(words[1].value, where.cwd) if words[1:] else where.cwd), ()
    if not _names_paths(call) or call.has("--pathspec-from-file"):
        return where, ()
    ended = call.options.ended
    paths = call.operands[ended:] if ended > 0 else words
    if call.subcommand == "checkout" and ended <= 0 and len(paths) > 1:
        first = resolve(paths[0].value, where.cwd)
        named = _is_path(paths[0]) or scene.world.kind(first) is not None
        paths = paths if named else paths[1:]
    if not paths or not all(is_known(arg.value) for arg in paths):
        return where, ()
    return where, tuple(arg.text for arg in paths)


def _names_paths(call: Call) -> bool:
    """Say whether the operands of *call* are paths, so that only these are at stake."""
    if call.subcommand in ("restore", "rm", "clean", "checkout-index"):
        return True
    return call.subcommand == "checkout" and not turned_on(call, "--force")


def _names_file(call: Call, scene: RuleContext) -> bool:
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
    if call.options.starts(("submodule", "update")):
        return call.has("--force")
    return call.options.starts(("submodule", "deinit")) and call.has("--force", "--all")


def _read_tree(call: Call) -> bool:
    return call.has("--reset")


def _checkout_index(call: Call) -> bool:
    return call.has("-f", "--force")


def _apply(call: Call) -> bool:
    return call.has("-R", "--reverse") and not call.has("--check", "--stat", "--cached")


_DISCARDS = {
    "apply": _apply,
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

_WHY = "git cannot restore uncommitted changes"

RULES = (
    Rule(
        id="git.reset-unsaved",
        answer=GuardAnswer.DENY,
        says="resets a working tree with uncommitted changes",
        why=_WHY,
        instead="Save it first: git stash -u, or a commit on a branch.",
        programs=("git",),
        objects_to=resets_without_backup,
    ),
    Rule(
        id="git.discard",
        answer=GuardAnswer.ASK,
        says="discards uncommitted changes",
        why=_WHY,
        instead="Save them first (git stash -u), or use --dry-run.",
        programs=("git",),
        objects_to=discards,
    ),
    Rule(
        id="git.revert",
        answer=GuardAnswer.ASK,
        says="overwrites a changed file with an older version",
        why=_WHY,
        instead="Save it first: git stash -u, or a copy under another name.",
        acts=(Act.OVERWRITE, Act.WRITE),
        objects_to=reverts,
    ),
)
