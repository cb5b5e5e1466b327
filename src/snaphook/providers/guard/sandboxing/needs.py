"""Whether a call has anything to do with the sandbox.

Judgement  ->  yes or no

Asked of every command the guard lets through, so it loads nothing else of the sandbox.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from msgspec import Struct

from snaphook.providers.guard.judgement import Judgement
from snaphook.shell.facts import Call

if TYPE_CHECKING:
    from snaphook.providers.guard.sandboxing.confine import Confiner
    from snaphook.sandbox.calls import ConfinedCalls

_INTERPRETER_TEXT = """
    python python2 python3 pypy pypy3 ipython node nodejs deno bun ruby irb perl php lua luajit
    java kotlin scala groovy jshell Rscript R julia octave racket guile clojure elixir erl ghci
    runghc swift osascript awk gawk mawk nawk tclsh wish expect pwsh powershell sqlite3 m4 gdb lldb
    jq-script ocaml sbcl emacs vim nvim ex
"""
_INTERPRETERS = frozenset(_INTERPRETER_TEXT.split())
"""Programs that run a language; reading the text shows what it says, not what it imports."""
_LOOKING = ("--version", "-V", "-v", "--help", "-h", "version", "help")
_HOOKED_TEXT = """
    commit merge rebase checkout switch push am pull cherry-pick revert stash worktree
"""
HOOKED = frozenset(_HOOKED_TEXT.split())
"""Subcommands of git that run the repository's hooks."""


class Sandbox(Struct, frozen=True, kw_only=True):
    """The sandbox as the provider holds it: made when a call needs it."""

    make: Callable[[], Confiner]
    always: bool = False
    calls: ConfinedCalls
    """The calls that were rewritten."""

    def concerns(self, judgement: Judgement) -> bool:
        """Say whether any part of the judged command may have to be confined."""
        if not judgement.calls:
            return False
        if self.always or any(_may_need(call) for call in judgement.calls):
            return True
        return not judgement.understood


def interprets(call: Call) -> bool:
    """Say whether *call* runs a language here."""
    if call.program not in _INTERPRETERS or call.remote or call.root:
        return False
    return not (call.args and all(arg.text in _LOOKING for arg in call.args))


def _may_need(call: Call) -> bool:
    if call.program == "git":
        return call.subcommand in HOOKED
    return call.program == "snaphook-sandbox" or interprets(call)
