"""``snaphook secrets`` names the place of a secret, never the secret."""

import json
from pathlib import Path

from click.testing import CliRunner

from snaphook.cli.secrets import command

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"


def run(*words: object):
    return CliRunner().invoke(command, [str(word) for word in words])


def test_a_secret_is_found_with_its_place_and_not_shown(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    file = Path("app.py")
    file.write_text(f'x = 1\ntoken = "{TOKEN}"\n')

    done = run(file)

    assert done.exit_code == 1
    assert f"{file}:2:10: github" in done.stdout
    assert TOKEN not in done.output


def test_a_clean_file_passes(tmp_path):
    file = tmp_path / "app.py"
    file.write_text("x = 1\n")

    done = run(file)

    assert (done.exit_code, done.stdout) == (0, "No secrets found in 1 file.\n")


def test_a_file_that_cannot_be_read_is_not_a_clean_one(tmp_path):
    done = run(tmp_path / "missing")

    assert done.exit_code == 3
    assert "cannot be read" in done.stderr


def test_json_has_a_row_for_each_secret(tmp_path):
    file = tmp_path / "app.py"
    file.write_text(f'token = "{TOKEN}"\n')

    (row,) = json.loads(run(file, "--json").stdout)[str(file)]

    assert (row["line"], row["column"]) == (1, 10)
