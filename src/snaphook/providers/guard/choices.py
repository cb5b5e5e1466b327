"""Where guards disagree: what ours says, and the one line that makes it say something else.

command  ->  Choice

Read by the how-to page and by the test that tries every line out.
"""

from __future__ import annotations

from msgspec import Struct


class Choice(Struct, frozen=True, kw_only=True):
    """A command that one team wants to pass and another wants to be asked about."""

    command: str
    says: str
    """What the guard answers by itself."""
    why: str
    line: str
    """The line under ``[guard]`` or ``[guard.rules]`` that changes it."""
    becomes: str


CHOICES: tuple[Choice, ...] = (
    Choice(
        command="git branch -d topic",
        says="allow",
        why="git itself refuses to delete unmerged branches",
        line='"git.branch-delete" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="git merge --abort",
        says="allow",
        why="it returns to the previous state",
        line='"git.abort" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="git stash drop",
        says="ask",
        why="its contents were never committed",
        line='allow = ["git stash drop*"]',
        becomes="allow",
    ),
    Choice(
        command="rm -rf .",
        says="deny",
        why="it deletes the whole project",
        line='"delete.project" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="find . -name '*.pyc' -delete",
        says="allow",
        why="a build recreates it",
        line='"delete.built" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="docker system prune",
        says="ask",
        why="data in volumes has no other copy",
        line='allow = ["docker system prune*"]',
        becomes="allow",
    ),
    Choice(
        command="cat .env",
        says="ask",
        why="secrets that an agent reads may end up in logs or prompts",
        line='"secrets.read" = "off"',
        becomes="allow",
    ),
    Choice(
        command="git add -A",
        says="allow",
        why="nothing is lost, and the commit shows what was added",
        line='"git.add-all" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="git push --force-with-lease origin topic",
        says="allow",
        why="it is the safe form of a forced push",
        line='"git.push-lease" = "ask"',
        becomes="ask",
    ),
    Choice(
        command='rm -rf "$TMPDIR/build"',
        says="allow",
        why="temporary files can be deleted",
        line='"delete.temp" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="terraform destroy",
        says="ask",
        why="machines and their data are deleted",
        line='allow = ["terraform destroy*"]',
        becomes="allow",
    ),
)
