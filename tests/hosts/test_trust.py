"""Codex is asked itself what it thinks of the hooks we wrote."""

import json
import os
import subprocess
from typing import Any

import pytest

from snaphook.hosts import host_named

from .conftest import PROGRAMS, Bench

pytestmark = [pytest.mark.timeout(300), pytest.mark.needs("codex")]


def listed(here: Bench) -> list[dict[str, Any]]:
    """Return what ``hooks/list`` of Codex's app server says about the project."""
    home = here.place.home
    with subprocess.Popen(
        [str(PROGRAMS["codex"]), "app-server"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd=here.place.project,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "CODEX_HOME": str(home / ".codex")},
    ) as server:
        assert server.stdin is not None
        assert server.stdout is not None
        about = {"clientInfo": {"name": "test", "version": "1"}}
        cwds = {"cwds": [str(here.place.project)]}
        for message in (
            {"id": 1, "method": "initialize", "params": about},
            {"method": "initialized"},
            {"id": 2, "method": "hooks/list", "params": cwds},
        ):
            server.stdin.write(json.dumps(message).encode() + b"\n")
            server.stdin.flush()
        answer = next(json.loads(line) for line in server.stdout if b'"id":2' in line)
        server.terminate()
    hooks: list[dict[str, Any]] = answer["result"]["data"][0]["hooks"]
    return hooks


def test_codex_trusts_every_hook_that_init_wrote(bench):
    here = bench("codex")
    here.wired()

    hooks = listed(here)

    placement = host_named("codex").PLACEMENT
    assert placement is not None
    assert len(hooks) == len(placement.wired)
    assert {hook["trustStatus"] for hook in hooks} == {"trusted"}


def test_codex_withdraws_its_trust_when_a_hook_is_changed(bench):
    here = bench("codex")
    here.wired(edit=lambda text: text.replace('"timeout": 60', '"timeout": 61'))

    assert {hook["trustStatus"] for hook in listed(here)} == {"trusted", "modified"}
