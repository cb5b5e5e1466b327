"""A person would be asked: the policy answers where it can, and where nobody is there to ask.

PermissionRequest + [essentials.permissions]  ->  allow, deny, or no opinion
"""

from functools import lru_cache

from snaphook.canon import PermissionRequest, PermissionRequestOutput, Verdict
from snaphook.config.allowlist import allows, uncovered
from snaphook.config.conditions import Condition, compile_condition

from .scope import EventScope
from .settings import PermissionPolicy

ALONE = (
    "The agent runs unattended, and no rule allows this. Add one to [essentials.permissions] allow."
)


def answer(event: PermissionRequest, scope: EventScope) -> PermissionRequestOutput | None:
    """Return what the policy says about the call of *event*.

    One command of a line is enough to deny it; to allow it every command must be in the list, and
    the guard must have nothing against any of them.
    """
    policy, read = scope.settings.permissions, scope.reader
    for rule in policy.deny:
        if _compiled(rule).holds(event, read.everything):
            why = f"The policy denies {rule} ([essentials.permissions])."
            return PermissionRequestOutput(decision=Verdict.DENY, reason=why)
    rules = [_compiled(rule) for rule in policy.allow]
    if rules and allows(rules, event, read.line) and not read.objection(event):
        return PermissionRequestOutput(decision=Verdict.ALLOW)
    nobody = event.context.headless or scope.identity.autonomous
    if policy.unattended == "deny" and nobody and (policy.allow or policy.deny):
        return PermissionRequestOutput(decision=Verdict.DENY, reason=_alone(event, policy, scope))
    return None


def _alone(event: PermissionRequest, policy: PermissionPolicy, scope: EventScope) -> str:
    """Say what is missing: a rule for one of the commands, or the guard's consent."""
    rules = [_compiled(rule) for rule in policy.allow]
    if missing := uncovered(rules, event, scope.reader.line):
        return f"{ALONE} Not covered: {missing[:120]}"
    if rules and (objection := scope.reader.objection(event)):
        return f"The agent runs unattended, and the guard denies this: {objection}"
    return ALONE


@lru_cache(maxsize=256)
def _compiled(rule: str) -> Condition:
    return compile_condition(rule, where="essentials.permissions")
