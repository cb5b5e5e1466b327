"""A policy as a profile for macOS; its text is all that is tested here, sandbox-exec runs only there."""

from snaphook.sandbox.policy import Policy, compiled
from snaphook.sandbox.seatbelt import profile

POLICY = Policy(
    project="/Users/ada/app",
    write=("/Users/ada/app", "/Users/ada/Library/Caches"),
    devices=("/dev/null",),
    pinned=("/Users/ada/app/.git",),
    protected=("/Users/ada/app/.git/config",),
    absent=("/Users/ada/app/snaphook.toml",),
    hidden=("/Users/ada/.ssh",),
    sockets=("/Users/ada/.docker/run/docker.sock",),
)


def lines(**changes):
    from msgspec.structs import replace

    return profile(replace(POLICY, **changes)).splitlines()


def starting(found, start):
    return [line for line in found if line.startswith(start)]


def test_nothing_is_allowed_that_no_rule_names():
    assert lines()[:2] == ["(version 1)", "(deny default)"]


def test_what_is_protected_comes_after_what_may_be_written_and_secrets_last():
    found = lines()
    order = [
        found.index(starting(found, start)[0])
        for start in (
            '(allow file-write* (subpath "/Users/ada/app")',
            '(deny file-write* (subpath "/Users/ada/app/.git/config") (subpath "/Users/ada/app/snaphook',
            '(deny file-write-unlink (literal "/Users/ada/app/.git"))',
            '(deny file-read* file-write* (subpath "/Users/ada/.ssh"))',
        )
    ]
    assert order == sorted(order)


def test_the_network_is_open_or_the_loopback():
    assert "(allow network*)" in lines()
    for closed in ("off", "allowlist"):
        assert "(allow network*)" not in lines(network=closed)
        assert '(allow network-outbound (remote ip "localhost:*"))' in lines(network=closed)


def test_sockets_that_lead_outside_are_denied_after_the_network_is_allowed():
    found = lines()
    denied = '(deny network-outbound (remote unix-socket (subpath "/Users/ada/.docker/run/docker.sock")))'

    assert found.index(denied) > found.index("(allow network*)")


def test_an_empty_list_is_no_rule_for_everything():
    found = lines(hidden=(), protected=(), absent=(), pinned=(), sockets=())

    assert not starting(found, "(deny file")
    assert not starting(found, "(deny network")


def test_quotes_in_a_path_stay_in_it():
    assert '(subpath "/a \\"b\\\\c")' in profile(Policy(project="", hidden=('/a "b\\c',)))


def test_parentheses_are_balanced_and_the_helper_gets_the_text():
    text = profile(POLICY)

    assert text.count("(") - text.count('#"^/dev/(') == text.count(")") - text.count('fd/)"')
    assert compiled(POLICY, text).split(b"\0")[-2] == b"B" + text.encode()
