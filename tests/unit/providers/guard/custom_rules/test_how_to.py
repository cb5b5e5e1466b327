"""What the how-to pages show holds."""

import re
from pathlib import Path

import pytest

from snaphook.cli.main import main

DOCS = Path(__file__).parents[5] / "docs" / "how-to"
PAGES = ["guard-rules-of-your-own.md", "guard-audit.md", "guard-choices.md"]


@pytest.fixture
def project(tmp_path, monkeypatch):
    for name in ("XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "CLAUDE_CONFIG_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".config/snaphook").mkdir(parents=True)
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path / "project")
    return tmp_path


@pytest.mark.parametrize("page", PAGES)
def test_every_example_of_settings_is_correct(page, project, capsys):
    blocks = re.findall(r"```toml\n(.*?)```", (DOCS / page).read_text(encoding="utf-8"), re.DOTALL)
    (project / ".config/snaphook/snaphook.toml").write_text("\n".join(blocks))

    assert main(["check"]) == 0
    assert capsys.readouterr().out == "1 file: no problems found.\n"
    assert main(["guard", "test"]) == 0
