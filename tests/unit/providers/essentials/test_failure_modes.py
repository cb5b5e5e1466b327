"""The failure modes that the seed lists for PreToolUse; the other rows stand beside their hooks."""

import pytest

from snaphook.canon import HookContext, PreToolUse, verdict
from snaphook.engine import Engine, dispatch_sync
from snaphook.providers.guard.provider import GuardProvider
from snaphook.providers.guard.settings import GuardSettings
from snaphook.stores.eventlog.read import RecordQuery, records
from snaphook.stores.eventlog.settings import LogSettings
from snaphook.wiring.recording import keep

PROTECTED = "git push --force origin main"


def considered(command, settings=None, cwd="/"):
    event = PreToolUse(
        context=HookContext(session_id="s", cwd=str(cwd)),
        tool_name="Bash",
        tool_args={"command": command},
    )
    return dispatch_sync(Engine([GuardProvider(settings or GuardSettings())]), event)


@pytest.mark.req("BB-F")
def test_a_false_positive_has_a_way_out(tmp_path):
    """PreToolUse: false positive. Blocks valid work. Mitigation: whitelist, override."""
    rule = "git-force-push-protected"
    stopped = considered(PROTECTED, cwd=tmp_path)
    assert verdict(stopped.output) == "deny"

    for settings in (
        GuardSettings(allow=(PROTECTED,)),
        GuardSettings(protected_branches=("release",)),
    ):
        let = considered(PROTECTED, settings, tmp_path)
        assert verdict(let.output) != "deny", f"{rule}: {settings}"


@pytest.mark.req("BB-F")
def test_a_false_negative_is_on_record_for_a_later_review(tmp_path):
    """PreToolUse: false negative. A dangerous operation runs. Mitigation: audit log, review."""
    outcome = considered("./deploy --wipe-everything", cwd=tmp_path)
    keep(outcome, LogSettings(), tmp_path / "data")

    (kept,) = records(LogSettings().place(tmp_path / "data"), RecordQuery())
    assert (kept.event, kept.verdict) == ("PreToolUse", None)
    assert kept.input["tool_args"] == {"command": "./deploy --wipe-everything"}
