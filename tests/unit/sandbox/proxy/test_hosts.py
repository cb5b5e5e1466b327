"""Which hosts an allowlist lets be reached."""

import pytest

from snaphook.sandbox.build import Scope
from snaphook.sandbox.proxy.hosts import HostList, read_entry
from snaphook.sandbox.registries import PUBLIC, allowed_hosts
from snaphook.sandbox.settings import SandboxSettings


@pytest.mark.parametrize(
    ("entry", "host", "port", "allowed"),
    [
        ("example.org", "example.org", 443, True),
        ("example.org", "EXAMPLE.org.", 80, True),
        ("example.org", "example.org", 22, False),
        ("example.org", "www.example.org", 443, False),
        ("example.org", "notexample.org", 443, False),
        ("example.org", "example.org.evil.test", 443, False),
        ("*.example.org", "a.b.example.org", 443, True),
        ("*.example.org", "example.org", 443, False),
        ("*.example.org", "evilexample.org", 443, False),
        ("db.example.org:5432", "db.example.org", 5432, True),
        ("db.example.org:5432", "db.example.org", 443, False),
        ("localhost:5432", "localhost", 5432, True),
        ("192.0.2.7", "192.0.2.7", 443, True),
        ("bücher.example", "xn--bcher-kva.example", 443, True),
    ],
)
def test_an_entry_covers_a_host_at_its_ports(entry, host, port, allowed):
    assert HostList([entry]).allows(host, port) is allowed


@pytest.mark.parametrize(
    "entry",
    ["", "https://example.org", "a b", "*", "*.org", "a*.org", "example.org:0", "h:x", "u@h"],
)
def test_what_names_no_host_is_an_error(entry):
    with pytest.raises(ValueError, match=r"not|top-level"):
        read_entry(entry)


def scope(tmp_path, **env):
    return Scope(project="", home=str(tmp_path), env=env, is_secret=lambda _path: False)


def test_registries_of_the_machine_count_and_can_be_left_out(tmp_path):
    (tmp_path / ".npmrc").write_text("registry=https://npm.corp.example/all/\nemail=a@b.example\n")
    here = scope(
        tmp_path,
        PIP_INDEX_URL="https://u:p@pypi.corp.example:8443/simple",
        GOPROXY="https://go.corp.example,direct",
    )

    found = allowed_hosts(SandboxSettings(allow_hosts=("mine.example",)), here)

    assert found[0] == "mine.example"
    assert {"npm.corp.example", "pypi.corp.example:8443", "go.corp.example", *PUBLIC} <= set(found)
    assert "b.example" not in found
    assert allowed_hosts(
        SandboxSettings(allow_registries=False, allow_hosts=("m.example",)), here
    ) == ("m.example",)


def test_a_projects_file_adds_no_registry(tmp_path):
    project = tmp_path / "project"
    project.mkdir()
    (project / ".npmrc").write_text("registry=https://evil.example/\n")
    here = Scope(project=str(project), home=str(tmp_path), env={}, is_secret=lambda _path: False)

    assert "evil.example" not in allowed_hosts(SandboxSettings(), here)
