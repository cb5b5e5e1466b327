"""Tables of several layers, laid over each other: nothing an administrator says gets milder."""

import msgspec
import pytest

from snaphook.config import Environment, load
from snaphook.config.approval import approve, review
from snaphook.config.trust import TrustStore
from snaphook.providers.guard.custom_rules.tables import FREE, MANAGED, STRICT
from snaphook.providers.guard.settings import PROTECTED, GuardSettings

RULE = '[[guard.rule]]\nid = "{id}"\nverdict = "{verdict}"\nprogram = "npm"\n'


@pytest.fixture
def place(tmp_path):
    around = Environment(
        cwd=tmp_path / "project",
        home=tmp_path / "home",
        env={"HOME": str(tmp_path / "home")},
        managed=tmp_path / "etc",
    )
    for folder in (around.cwd, around.config_dir, around.managed / "snaphook"):
        folder.mkdir(parents=True)
    return around


def settings(around, *, managed="", user="", project="", trusted=False):
    """Return what the three files come to, and the places that were refused."""
    (around.managed / "snaphook" / "snaphook.toml").write_text(managed)
    (around.config_dir / "snaphook.toml").write_text(user)
    (around.cwd / "snaphook.toml").write_text(project)
    store = TrustStore.of(around)
    if trusted:
        approve(review(around, around.cwd, store), around.cwd, store)
    loaded = load(around, root=around.cwd, sections={"guard": GuardSettings})
    table = msgspec.convert(dict(loaded.sections["guard"].values), GuardSettings)
    return table, [origin.pointer for origin in loaded.refused]


def test_rules_of_every_layer_add_up_each_with_its_standing(place):
    table, refused = settings(
        place,
        managed=RULE.format(id="m", verdict="deny"),
        user=RULE.format(id="u", verdict="allow"),
        project=RULE.format(id="p", verdict="ask"),
    )

    assert [(one.id, one.standing) for one in table.own] == [
        ("m", MANAGED),
        ("u", FREE),
        ("p", STRICT),
    ]
    assert refused == []


def test_a_project_nobody_approved_may_forbid_and_not_allow(place):
    project = RULE.format(id="no", verdict="deny") + RULE.format(id="yes", verdict="allow")

    table, refused = settings(place, project=project)

    assert [one.id for one in table.own] == ["no"]
    assert refused == [("guard", "rule", 1)]


def test_an_approved_project_may_allow(place):
    table, refused = settings(place, project=RULE.format(id="yes", verdict="allow"), trusted=True)

    assert ([(one.id, one.standing) for one in table.own], refused) == ([("yes", FREE)], [])


def test_answers_merge_rule_by_rule(place):
    table, _ = settings(
        place,
        managed='[guard.rules]\n"git.discard" = "deny"\n',
        user='[guard.rules]\n"cloud.change" = "off"\n',
    )

    assert table.rules == {"git.discard": "deny", "cloud.change": "off"}


@pytest.mark.parametrize(
    ("managed", "user", "rules", "refused"),
    [
        ("ask", "off", "ask", [("guard", "rules", "git.discard")]),
        ("ask", "warn", "ask", [("guard", "rules", "git.discard")]),
        ("ask", "deny", "deny", []),
        ("warn", "ask", "ask", []),
        ("off", "ask", "ask", []),
    ],
)
def test_a_managed_answer_only_gets_stricter(place, managed, user, rules, refused):
    line = '[guard.rules]\n"git.discard" = "{}"\n'

    table, said = settings(place, managed=line.format(managed), user=line.format(user))

    assert (table.rules, said) == ({"git.discard": rules}, refused)


@pytest.mark.parametrize(
    ("answer", "taken"), [("deny", True), ("ask", False), ("warn", False), ("off", False)]
)
def test_a_project_nobody_approved_may_only_turn_an_answer_into_deny(place, answer, taken):
    table, refused = settings(place, project=f'[guard.rules]\n"git.discard" = "{answer}"\n')

    assert table.rules == ({"git.discard": "deny"} if taken else {})
    assert bool(refused) is not taken


@pytest.mark.parametrize(
    ("project", "key", "value"),
    [
        ('mode = "audit"', "mode", "enforce"),
        ('protected_paths = ["a"]', "protected_paths", (*PROTECTED, "a")),
        ("bulk_files = 5", "bulk_files", 5),
        ("bulk_files = 500", "bulk_files", 10),
        ("read_scripts = false", "read_scripts", True),
        ('allow = ["rm*"]', "allow", ()),
        ('allow_paths = ["/"]', "allow_paths", ()),
        ('packs = ["bb5"]', "packs", ("bb5",)),
        ('commit_format = "x: .+"', "commit_format", "x: .+"),
    ],
)
def test_a_project_nobody_approved_tightens_plain_values_and_loosens_none(
    place, project, key, value
):
    table, _ = settings(place, project=f"[guard]\n{project}\n", user="[guard]\n")

    assert getattr(table, key) == value


@pytest.mark.parametrize(
    ("managed", "user", "key", "value"),
    [
        ('mode = "enforce"', 'mode = "audit"', "mode", "enforce"),
        ('mode = "audit"', 'mode = "enforce"', "mode", "enforce"),
        ('protected_branches = ["x"]', 'protected_branches = ["y"]', "protected_branches",
         ("x", "y")),
        ('packs = ["bb5"]', "packs = []", "packs", ("bb5",)),
        ("bulk_files = 3", "bulk_files = 30", "bulk_files", 3),
        ('temp_dirs = ["/a"]', 'temp_dirs = ["/b"]', "temp_dirs", ("/b",)),
    ],
)  # fmt: skip
def test_what_an_administrator_fixed_stays(place, managed, user, key, value):
    table, _ = settings(place, managed=f"[guard]\n{managed}\n", user=f"[guard]\n{user}\n")

    assert getattr(table, key) == value


def test_nobody_can_pass_for_an_administrator(place):
    forged = '[guard]\n"(managed)" = {rules = {}}\n' + RULE.format(id="x", verdict="allow")

    table, _ = settings(place, user=f'{forged}"(standing)" = "managed"\n')

    assert table.managed == {}
    assert [one.standing for one in table.own] == [FREE]


@pytest.mark.parametrize(
    ("managed", "user", "netted"),
    [
        ("", "", ("git.reset-unsaved",)),
        ("", '[guard]\nsafety_net = ["git.discard"]\n', ("git.discard",)),
        ('[guard.rules]\n"git.reset-unsaved" = "deny"\n', "", ()),
        (
            '[guard.rules]\n"git.discard" = "ask"\n',
            '[guard]\nsafety_net = ["git.discard", "git.clean"]\n',
            ("git.clean",),
        ),
        (
            '[guard]\nsafety_net = ["git.discard"]\n[guard.rules]\n"git.discard" = "ask"\n',
            "",
            ("git.discard",),
        ),
    ],
)
def test_a_snapshot_does_not_lift_what_an_administrator_fixed(place, managed, user, netted):
    table, _ = settings(place, managed=managed, user=user or "[guard]\n")

    assert table.netted == netted
