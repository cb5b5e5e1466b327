"""In whose name somebody works is told for certain, or not at all."""

from pathlib import Path

import pytest

from snaphook.errors import ConfigError
from snaphook.providers.tenants.choose import choose

TENANTS = {
    "acme": {"projects": ["/srv/acme", "~/acme-*"], "budget": {"day": {"dollars": 5}}},
    "globex": {"projects": ["/srv/globex/*/code"]},
    "rest": {"default": True},
}
HOME = Path("/home/ada")


def chosen(named="", project="/", tenants=TENANTS):
    return choose(tenants, named=named, project=project, home=HOME)


@pytest.mark.req("SQ-11")
@pytest.mark.parametrize(
    ("named", "project", "tenant"),
    [
        pytest.param("", "/srv/acme", "acme", id="its folder"),
        pytest.param("", "/srv/acme/web/src", "acme", id="below its folder"),
        pytest.param("", "/srv/acme-other", "rest", id="a name that only begins so"),
        pytest.param("", "/home/ada/acme-web", "acme", id="a pattern at home"),
        pytest.param("", "/srv/globex/x/code/y", "globex", id="a pattern"),
        pytest.param("", "/srv/globex/x", "rest", id="no match: the default"),
        pytest.param("globex", "/tmp/x", "globex", id="by name"),
        pytest.param("acme", "/srv/acme", "acme", id="by name and by folder"),
    ],
)
def test_the_name_and_the_project_tell_the_tenant(named, project, tenant):
    assert chosen(named, project) == tenant


@pytest.mark.req("SQ-11")
@pytest.mark.parametrize(
    ("named", "project", "told"),
    [
        pytest.param(
            "acne", "/", "SNAPHOOK_TENANT='acne' is unknown. There are: acme", id="unknown"
        ),
        pytest.param(
            "../acme", "/", "SNAPHOOK_TENANT='../acme' is unknown", id="a path for a name"
        ),
        pytest.param("ACME", "/", "is unknown", id="other letters"),
        pytest.param("acme\n", "/", "is unknown", id="a line for a name"),
        pytest.param("globex", "/srv/acme", "is a project of 'acme'", id="another's project"),
        pytest.param("globex", "/srv/globex/../acme", "is a project of 'acme'", id="by a detour"),
    ],
)
def test_a_name_that_is_unknown_or_contradicts_the_project_is_an_error(named, project, told):
    with pytest.raises(ConfigError) as raised:
        chosen(named, project)
    assert told in str(raised.value)


def test_a_project_of_two_tenants_is_nobodys():
    tenants = {"a": {"projects": ["/srv"]}, "b": {"projects": ["/srv/*"]}}

    with pytest.raises(ConfigError, match="belongs to more than one of them: a, b"):
        chosen(project="/srv/x", tenants=tenants)


def test_without_a_default_who_names_nobody_is_nobody():
    assert chosen(tenants={"a": {"projects": ["/srv"]}}, project="/tmp/x") == ""


@pytest.mark.req("SQ-11")
def test_a_link_leads_to_the_tenant_it_points_to(tmp_path):
    (tmp_path / "acme").mkdir()
    (tmp_path / "globex").mkdir()
    (tmp_path / "acme" / "link").symlink_to(tmp_path / "globex")
    tenants = {name: {"projects": [str(tmp_path / name)]} for name in ("acme", "globex")}

    assert chosen(project=str(tmp_path / "acme" / "link"), tenants=tenants) == "globex"


@pytest.mark.req("SQ-11")
@pytest.mark.parametrize("name", ["..", "a/b", "", "-x", "Ä", "a" * 64, "a\0"])
def test_a_tenant_cannot_be_called_by_a_path(name):
    with pytest.raises(ConfigError, match="cannot be a tenant's name"):
        chosen(tenants={name: {}})
