"""Commit messages in the format a team has agreed on."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span
from snaphook.shell.text import UNKNOWN

BB5 = (
    r"(feat|fix|docs|style|refactor|test|chore|perf|sync|security|temp)(\([\w./-]+\))?!?: \S.*"
    r"|claude: \[[^\]]+\] \S.*|ralf: \[[^\]]+\] \[[^\]]+\] - \S.*"
    r"|revert: rollback of [0-9a-f]{7,40}.*|Merge .*|Revert .*"
)
"""The first line of a commit message as the BB5 pack wants it: `commit_format = "bb5"`."""


def objects_to(call: Call, scene: RuleContext) -> Span | None:
    """Point at a commit message whose first line is not in the agreed format.

    The format is a regular expression, or `bb5`, in the setting `commit_format`; the pack `bb5`
    brings its own. Without either no message is looked at.

    Blocks: git commit -m "stuff"
    Allows: git commit -m "fix(queue): claim a task once"
    Allows: git commit --amend --no-edit
    """
    form = scene.settings.commit_format or ("bb5" if "bb5" in scene.settings.packs else "")
    if not form or call.subcommand != "commit" or call.has("--dry-run"):
        return None
    message = call.options.all("--message")
    if not message or UNKNOWN in message[0].value:
        return None
    first = message[0].text.partition("\n")[0]
    return None if re.fullmatch(BB5 if form == "bb5" else form, first) else message[0].span


RULE = Rule(
    id="git.message",
    answer=GuardAnswer.DENY,
    says="commits with a message in the wrong format",
    why="people and tools rely on the format",
    instead="Write the first line as <type>(<scope>): <description>.",
    programs=("git",),
    objects_to=objects_to,
)
