"""init and uninstall over generated settings of every host: nothing is lost, ever."""

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

from snaphook.config.environment import Environment
from snaphook.errors import ConfigError
from snaphook.hosts import HOSTS, host_named
from snaphook.hosts.install import (
    InstallLedger,
    Preset,
    Scope,
    apply,
    revert,
    settings_file,
    unwire,
    wire,
)
from snaphook.hosts.install.change import program
from snaphook.hosts.install.entries import is_ours, unwired_text, wired_text
from snaphook.hosts.install.jsonc import parse
from snaphook.hosts.placement import HooksFormat, Placement

PLACED = [name for name in HOSTS if host_named(name).PLACEMENT is not None]
COMMAND = ("/opt/bin/snaphook", "hook")


def placement(name: str) -> Placement:
    found = host_named(name).PLACEMENT
    assert found is not None
    return found


IN_JSON = [
    n
    for n in PLACED
    if placement(n).shape in (HooksFormat.NESTED, HooksFormat.FLAT, HooksFormat.NAMED)
]

SCALAR = st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=6)
JSON = st.recursive(
    SCALAR,
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)
OTHER_KEY = st.text(max_size=5).filter(lambda key: key != "hooks")
HANDLER = st.fixed_dictionaries(
    {"type": st.just("command"), "command": st.sampled_from(["lint", "true", "snaphook check"])},
    optional={"timeout": st.integers(1, 99), "x": SCALAR},
)
ENTRY = HANDLER | st.fixed_dictionaries(
    {"hooks": st.lists(HANDLER, max_size=2)}, optional={"matcher": st.text(max_size=4)}
)


@st.composite
def documents(draw: st.DrawFn, name: str) -> str:
    """Return settings as people have them: other keys, other hooks, any spacing, comments."""
    events = [wired.event for wired in placement(name).wired]
    hooks = draw(st.dictionaries(st.sampled_from(events), st.lists(ENTRY, max_size=2), max_size=3))
    document: dict[str, Any] = draw(st.dictionaries(OTHER_KEY, JSON, max_size=3))
    if draw(st.booleans()):
        document["hooks"] = hooks
    text = json.dumps(document, indent=draw(st.sampled_from([None, 2, 4, "\t"])))
    if draw(st.booleans()):
        text = "// mine\n" + text.replace("\n}", " // last\n}", 1) + "\n/* end */\n"
    return text.replace("\n", "\r\n") if draw(st.booleans()) else text


def others(text: str, host: str) -> Any:
    """Return everything in *text* that is not ours."""
    value = parse(text).value

    def kept(entry: Any) -> bool:
        if not isinstance(entry, dict):
            return True
        inner = entry.get("hooks")
        commands = [h.get("command") for h in inner] if inner else [entry.get("command")]
        return not any(is_ours(command, host) for command in commands)

    hooks = value.get("hooks")
    if isinstance(hooks, dict):
        hooks = {e: [i for i in entries if kept(i)] for e, entries in hooks.items()}
        value = value | {"hooks": {e: entries for e, entries in hooks.items() if entries}}
    own = "snaphook" if placement(host).shape is HooksFormat.NAMED else ""
    return {key: v for key, v in value.items() if (key, v) != ("hooks", {}) and key != own}


@pytest.mark.parametrize("name", IN_JSON)
@settings(max_examples=thorough(25, 8), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_wiring_in_keeps_everything_else_and_does_it_once(name, data):
    before = data.draw(documents(name))

    after = wired_text(before, placement(name), COMMAND, name)

    added = {key: v for key, v in placement(name).root.items() if key not in parse(before).value}
    assert others(after, name) == others(before, name) | added
    assert wired_text(after, placement(name), COMMAND, name) == after
    ours = json.dumps(parse(after).value).count(f"/opt/bin/snaphook hook {name} ")
    assert ours == len(placement(name).wired)


@pytest.mark.parametrize("name", IN_JSON)
@settings(max_examples=thorough(25, 8), suppress_health_check=[HealthCheck.too_slow])
@given(data=st.data())
def test_taking_out_leaves_what_others_wrote(name, data):
    before = data.draw(documents(name))

    after = unwired_text(wired_text(before, placement(name), COMMAND, name), placement(name), name)

    added = {key: v for key, v in placement(name).root.items() if key not in parse(before).value}
    assert others(after, name) == others(before, name) | added
    assert "/opt/bin/snaphook" not in after
    for comment in ("// mine", "// last", "/* end */"):
        assert after.count(comment) == before.count(comment)


@pytest.fixture
def around(tmp_path: Path) -> Environment:
    (tmp_path / "home").mkdir()
    (tmp_path / "project").mkdir()
    return Environment(
        cwd=tmp_path / "project", home=tmp_path / "home", env={}, managed=tmp_path / "etc"
    )


@pytest.fixture
def ledger(tmp_path: Path) -> InstallLedger:
    return InstallLedger(tmp_path / "ledger")


PLACES = [
    (name, scope)
    for name in PLACED
    for scope in Scope
    if scope is Scope.USER or placement(name).project is not None
]


@pytest.mark.parametrize(("name", "scope"), PLACES)
def test_uninstall_leaves_no_file_where_there_was_none(name, scope, around, ledger):
    host = host_named(name)

    apply(wire(host, scope=scope, around=around, root=around.cwd), ledger)
    path = settings_file(placement(name), scope, around, around.cwd)
    assert path.exists()
    revert(unwire(host, scope=scope, around=around, root=around.cwd, ledger=ledger), ledger)

    assert [p for p in (*around.home.rglob("*"), *around.cwd.rglob("*")) if p.is_file()] == []


@pytest.mark.parametrize("name", IN_JSON)
def test_uninstall_puts_back_the_very_bytes(name, around, ledger):
    host = host_named(name)
    path = settings_file(placement(name), Scope.USER, around, around.cwd)
    path.parent.mkdir(parents=True)
    old = b'{\r\n   "hooks" : { } , // odd\r\n  "x":[1,\t2]}'
    path.write_bytes(old)

    for _ in range(2):  # a second init must not forget what was there first
        apply(wire(host, scope=Scope.USER, around=around, root=around.cwd), ledger)
    assert path.read_bytes() != old
    revert(unwire(host, scope=Scope.USER, around=around, root=around.cwd, ledger=ledger), ledger)

    assert path.read_bytes() == old


def test_a_change_by_others_survives_uninstall(around, ledger):
    host = host_named("claude-code")
    path = around.home / ".claude/settings.json"
    apply(wire(host, scope=Scope.USER, around=around, root=around.cwd), ledger)
    there = json.loads(path.read_text())
    there["model"] = "opus"
    there["hooks"]["Stop"].append({"hooks": [{"type": "command", "command": "mine"}]})
    path.write_text(json.dumps(there))

    revert(unwire(host, scope=Scope.USER, around=around, root=around.cwd, ledger=ledger), ledger)

    assert json.loads(path.read_text()) == {
        "hooks": {"Stop": [{"hooks": [{"type": "command", "command": "mine"}]}]},
        "model": "opus",
    }


def test_a_handler_of_ours_in_somebody_elses_group_goes_alone():
    claude = placement("claude-code")
    mine = {"type": "command", "command": "mine"}
    ours = {"type": "command", "command": "snaphook hook claude-code Stop"}
    text = json.dumps({"hooks": {"Stop": [{"hooks": [mine, ours]}]}})

    assert json.loads(unwired_text(text, claude, "claude-code")) == {
        "hooks": {"Stop": [{"hooks": [mine]}]}
    }


@pytest.mark.parametrize(
    ("command", "ours"),
    [
        pytest.param("snaphook hook codex Stop", True, id="the program alone"),
        pytest.param("/opt/snaphook-hook codex Stop", True, id="the native client"),
        pytest.param("'/my opt/snaphook-hook' codex Stop", True, id="quoted"),
        pytest.param("/usr/bin/python3 -m snaphook hook codex Stop", True, id="through Python"),
        pytest.param("snaphook hook claude-code Stop", False, id="another host's"),
        pytest.param("my-hook codex Stop", False, id="somebody else's"),
    ],
)
def test_our_own_entries_are_known_however_they_call_us(command, ours):
    assert is_ours(command, "codex") is ours


def test_a_users_file_names_the_native_client_where_it_was_built(tmp_path, monkeypatch):
    monkeypatch.setattr("sys.executable", str(tmp_path / "my bin" / "python3"))
    monkeypatch.setenv("PATH", "/nowhere")
    assert program(Scope.USER) == (f"'{tmp_path}/my bin/python3'", "-m", "snaphook", "hook")

    (tmp_path / "my bin").mkdir()
    (tmp_path / "my bin" / "snaphook").touch()
    assert program(Scope.USER) == (f"'{tmp_path}/my bin/snaphook'", "hook")

    (tmp_path / "my bin" / "snaphook-hook").touch()
    assert program(Scope.USER) == (f"'{tmp_path}/my bin/snaphook-hook'",)


def test_an_outdated_entry_is_written_anew():
    claude = placement("claude-code")
    old = wired_text(None, claude, ("/old/snaphook", "hook"), "claude-code")

    new = wired_text(old, claude, COMMAND, "claude-code")

    assert "/old/" not in new
    assert json.loads(new) == json.loads(wired_text(None, claude, COMMAND, "claude-code"))


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{", "not JSON"),
        ("[]", "where an object is expected"),
        ('{"hooks": []}', "expected hooks"),
        ('{"hooks": {"PreToolUse": {}}}', "expected hooks"),
    ],
)
def test_a_file_that_cannot_be_understood_is_left_alone(text, what, around):
    path = around.home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text(text)

    with pytest.raises(ConfigError, match=what) as told:
        wire(host_named("claude-code"), scope=Scope.USER, around=around, root=around.cwd)

    assert str(told.value).startswith(str(path))
    assert path.read_text() == text


def test_a_link_is_followed_and_stays_a_link(around, ledger, tmp_path):
    path = around.home / ".claude/settings.json"
    path.parent.mkdir()
    real = tmp_path / "dotfiles.json"
    real.write_text("{}")
    path.symlink_to(real)

    apply(wire(host_named("claude-code"), scope=Scope.USER, around=around, root=around.cwd), ledger)

    assert path.is_symlink()
    assert "PreToolUse" in real.read_text()


def test_a_read_only_file_is_respected(around, ledger):
    path = around.home / ".claude/settings.json"
    path.parent.mkdir()
    path.write_text("{}")
    path.chmod(0o444)

    with pytest.raises(ConfigError, match="read-only"):
        apply(
            wire(host_named("claude-code"), scope=Scope.USER, around=around, root=around.cwd),
            ledger,
        )

    assert path.read_text() == "{}"


@pytest.mark.parametrize(
    ("preset", "events"),
    [
        (Preset.GUARD, {"UserPromptSubmit", "PreToolUse", "SubagentStart"}),
        (Preset.GATES, {"PostToolUse", "Stop", "SubagentStop"}),
    ],
)
def test_a_preset_wires_its_events_alone(preset, events, around):
    [change] = wire(
        host_named("claude-code"), scope=Scope.USER, around=around, root=around.cwd, preset=preset
    )

    assert change.after is not None
    assert set(json.loads(change.after)["hooks"]) == events


TOML = """\
# my model
model = "k2"   # the fast one

[[hooks]]
event = "Stop"
command = "mine"

[mcp]
x = 1
"""


def test_tables_of_ours_come_and_go_and_the_rest_stays(around, ledger):
    kimi = host_named("kimi")
    path = around.home / ".kimi-code/config.toml"
    path.parent.mkdir()
    path.write_text(TOML)

    apply(wire(kimi, scope=Scope.USER, around=around, root=around.cwd), ledger)
    wired = path.read_text()
    assert wired.startswith(TOML)
    assert len(tomllib.loads(wired)["hooks"]) == 1 + len(placement("kimi").wired)
    assert not any(
        change.changes for change in wire(kimi, scope=Scope.USER, around=around, root=around.cwd)
    )
    path.write_text(wired + "\n# mine, later\n")
    revert(unwire(kimi, scope=Scope.USER, around=around, root=around.cwd, ledger=ledger), ledger)

    assert path.read_text().startswith(TOML)
    assert "# mine, later" in path.read_text()
    assert "snaphook" not in path.read_text()
