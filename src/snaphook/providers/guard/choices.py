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
        why="git itself refuses to delete what is not merged",
        line='"git.branch-delete" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="git merge --abort",
        says="allow",
        why="it goes back to where one was",
        line='"git.abort" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="git stash drop",
        says="ask",
        why="what is in it was never committed",
        line='allow = ["git stash drop*"]',
        becomes="allow",
    ),
    Choice(
        command="rm -rf .",
        says="deny",
        why="it takes the whole project with it",
        line='"delete.project" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="find . -name '*.pyc' -delete",
        says="allow",
        why="a build brings it back",
        line='"delete.built" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="docker system prune",
        says="ask",
        why="data in a volume has no other copy",
        line='allow = ["docker system prune*"]',
        becomes="allow",
    ),
    Choice(
        command="cat .env",
        says="ask",
        why="what an agent has read may end up in a log or a prompt",
        line='"secrets.read" = "off"',
        becomes="allow",
    ),
    Choice(
        command="git add -A",
        says="allow",
        why="nothing is lost, and the commit shows it",
        line='"git.add-all" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="git push --force-with-lease origin topic",
        says="allow",
        why="it is the careful way to force",
        line='"git.push-lease" = "ask"',
        becomes="ask",
    ),
    Choice(
        command='rm -rf "$TMPDIR/build"',
        says="allow",
        why="temporary files are meant to go",
        line='"delete.temp" = "ask"',
        becomes="ask",
    ),
    Choice(
        command="terraform destroy",
        says="ask",
        why="machines and their data go with it",
        line='allow = ["terraform destroy*"]',
        becomes="allow",
    ),
)
