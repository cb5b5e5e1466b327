"""Files put into the operating system of another machine."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_SYSTEM = re.compile(
    r"^(?:[\w.-]+@)?[\w.-]+:(?:/|/(?:etc|bin|sbin|lib\w*|boot|usr|var/lib|root|System|Library)(?:/.*)?)$"
)


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a target in the system directories of another machine.

    Asks: scp passwd root@server:/etc/passwd
    Asks: scp -r ./data user@host:/
    Asks: rsync -a build/ root@server:/usr/local/
    Allows: scp dist.tgz user@host:/srv/app/
    Allows: scp user@host:/etc/hosts .
    Allows: rsync -a dist/ host:/var/www/
    """
    target = call.operands[-1] if len(call.operands) > 1 else None
    dry = call.program == "rsync" and call.has("-n", "--dry-run")
    return target.span if target and not dry and _SYSTEM.match(target.text) else None


RULE = Rule(
    id="overwrite.remote-system",
    answer=GuardAnswer.ASK,
    says="writes to system directories of another machine",
    why="every program on that machine may depend on it",
    instead="Copy to your own directory there, and let the user install it.",
    programs=("scp", "rsync", "sftp"),
    objects_to=objects_to,
)
