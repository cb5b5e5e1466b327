"""``snaphook gates`` runs the builder's gates once, for pre-commit and CI."""

import json

from click.testing import CliRunner

from snaphook.cli.building.gates import command


def run(*words: object):
    return CliRunner().invoke(command, [str(word) for word in words])


def project(tmp_path, *gates: str):
    (tmp_path / ".sauna").mkdir()
    (tmp_path / ".sauna/hooks.json").write_text(json.dumps(gates))
    return tmp_path


def test_gates_that_pass_exit_0(tmp_path):
    done = run("--project", project(tmp_path, "true", "test -d .sauna"))

    assert done.exit_code == 0
    assert done.stdout.count("passed") == 2


def test_the_first_that_fails_ends_the_run_with_its_output(tmp_path):
    done = run("--project", project(tmp_path, "echo broken; exit 3", "touch later"))

    assert done.exit_code == 1
    assert "exit 3" in done.stdout
    assert "broken" in done.stdout
    assert not (tmp_path / "later").exists()


def test_json_tells_each_run(tmp_path):
    done = run("--json", "--project", project(tmp_path, "true", "false"))

    told = json.loads(done.stdout)
    assert told["passed"] is False
    assert [row["exit"] for row in told["runs"]] == [0, 1]


def test_no_gates_is_said_and_passes(tmp_path):
    done = run("--project", tmp_path)

    assert done.exit_code == 0
    assert "No gates" in done.stdout


def test_listing_runs_none(tmp_path):
    done = run("--list", "--project", project(tmp_path, "touch ran"))

    assert done.stdout == "touch ran\n"
    assert not (tmp_path / "ran").exists()
