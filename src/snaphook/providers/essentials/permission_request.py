"""A person would be asked: the policy answers where it can, and where nobody is there to ask.

PermissionRequest + [essentials.permissions]  ->  allow, deny, or no opinion
"""

from functools import lru_cache

from snaphook.canon import PermissionRequest, PermissionRequestOutput, Verdict
from snaphook.config.conditions import Condition, compile_condition

from .desk import Desk

ALONE = "The agent works alone, and no rule allows this. Add one to [essentials.permissions] allow."


def answer(event: PermissionRequest, desk: Desk) -> PermissionRequestOutput | None:
    """Return what the policy says about the call of *event*."""
    policy = desk.settings.permissions
    for rule in policy.deny:
        if _compiled(rule).holds(event):
            why = f"The policy denies {rule} ([essentials.permissions])."
            return PermissionRequestOutput(decision=Verdict.DENY, reason=why)
    if any(_compiled(rule).holds(event) for rule in policy.allow):
        return PermissionRequestOutput(decision=Verdict.ALLOW)
    nobody = event.context.headless or desk.identity.autonomous
    if policy.unattended == "deny" and nobody and (policy.allow or policy.deny):
        return PermissionRequestOutput(decision=Verdict.DENY, reason=ALONE)
    return None


@lru_cache(maxsize=256)
def _compiled(rule: str) -> Condition:
    return compile_condition(rule, where="essentials.permissions")
