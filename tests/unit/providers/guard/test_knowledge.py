"""The tables behind the rules: lines of harms, verbs of services, names of secrets."""

import pytest

from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.verbs import VerbKind, verb
from snaphook.providers.guard.secrets import secret
from snaphook.shell.facts import Arg, Call, Span
from snaphook.shell.options import ANY, sort
from snaphook.shell.text import globbed


def call(text):
    """Return the call that the words of *text* make."""
    words = [Arg(value=word, span=Span(at, at + 1)) for at, word in enumerate(text.split())]
    return Call(
        program=words[0].value,
        name=words[0],
        args=tuple(words[1:]),
        options=sort(tuple(words[1:]), ANY),
        span=words[0].span,
        cwd="/p",
    )


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("tool delete x", True),
        ("tool DELETE x", True),
        ("tool --profile prod delete x", True),
        ("tool list delete", False),
        ("tool drop-table", True),
        ("tool apply --force", True),
        ("tool apply -f", True),
        ("tool apply", False),
        ("tool sync", True),
        ("tool sync --keep", False),
        ("tool delete --dry-run x", False),
        ("tool delete --dry-run=none x", True),
        ("tool delete --help", False),
        ("tool help delete", False),
        ("other delete x", False),
    ],
)
def test_a_line_of_harms_reads_as_it_is_typed(text, found):
    table = harms("tool delete|drop-*\n tool apply -f|--force  # by force\n tool sync !--keep")

    assert (table.find(call(text)) is not None) is found


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("gcloud compute instances delete web", VerbKind.DESTROYS),
        ("gcloud compute instances list", VerbKind.LOOKS),
        ("az storage blob delete-batch", VerbKind.DESTROYS),
        ("velero backup delete daily", VerbKind.DESTROYS),
        ("velero backup create daily", VerbKind.CHANGES),
        ("op item get delete", VerbKind.LOOKS),
        ("it says hello", None),
    ],
)
def test_the_first_verb_of_a_service_decides(text, kind):
    found = verb(call(text))

    assert (found[0] if found else None) is kind


@pytest.mark.parametrize(
    ("path", "is_secret"),
    [
        ("/p/.env", True),
        ("/p/.env.production", True),
        ("/p/.env.example", False),
        ("/p/.env.local.sample", False),
        ("/p/prod.env", True),
        ("/p/environment.ts", False),
        ("/home/me/.ssh/id_ed25519", True),
        ("/home/me/.ssh/id_ed25519.pub", False),
        ("/home/me/.ssh/config", False),
        ("/home/me/.aws/credentials", True),
        ("/home/me/.aws/config", False),
        ("/proc/self/environ", True),
        ("/etc/shadow", True),
        ("/etc/passwd", False),
        ("/p/tests/fixtures/ca.pem", False),
        ("/p/server.pem", True),
        (globbed("/p/.e*"), True),
        (globbed("/p/*.json"), False),
        (globbed("/home/me/.ssh/*"), True),
    ],
)
def test_secrets_are_told_by_their_names(path, is_secret):
    assert (secret(path) is not None) is is_secret
