"""Every host has its page, its samples and its place in the list."""

from pathlib import Path

import pytest

from snaphook.hosts import HOSTS, host_named
from snaphook.hosts.table import WITHOUT_SETTINGS

ROOT = Path(__file__).parents[2]


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_has_a_page_with_something_worth_knowing(name):
    page = (ROOT / f"docs/how-to/hosts/{name}.md").read_text(encoding="utf-8")

    assert page.startswith(f"# {host_named(name).TITLE}\n")
    assert "## Worth knowing\n\n- " in page


@pytest.mark.parametrize("name", HOSTS)
def test_a_host_is_named_after_itself_and_placed_where_init_expects_it(name):
    host = host_named(name)

    assert name == host.NAME
    assert (host.PLACEMENT is None) is (name in WITHOUT_SETTINGS)


@pytest.mark.parametrize("name", HOSTS)
def test_only_events_the_host_has_are_wired(name):
    placement = host_named(name).PLACEMENT

    assert placement is None or {w.event for w in placement.wired} <= set(host_named(name).CAN)
