"""check, held against settings as people write them: broken ones and correct ones."""

import shutil
from pathlib import Path

import pytest

from snaphook.config import Environment, Problem
from snaphook.config.check import check
from snaphook.wiring.configured import BUILT_IN
from snaphook.wiring.sections import every_section

CORPUS = Path(__file__).parents[2] / "corpus/settings"
HOME = {"claude": ".claude/settings.json", "wave": ".wave/settings.json"}


def findings() -> list[tuple[str, str, str]]:
    """Return (file, code, the place it must lie in) for each broken file."""
    rows = []
    for line in (CORPUS / "broken/findings.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            file, code, *place = line.split()
            dialect = file.partition("/")[0]
            rows.append((file, code, place[0] if place else HOME.get(dialect, "snaphook.toml")))
    return rows


def good() -> list[str]:
    return sorted(str(path.relative_to(CORPUS)) for path in (CORPUS / "good").rglob("*.*"))


@pytest.fixture
def project(around: Environment) -> Path:
    shutil.copytree(CORPUS / "project", around.cwd, dirs_exist_ok=True)
    return around.cwd


def checked(file: str, place: str, around: Environment) -> tuple[Problem, ...]:
    target = around.cwd / place
    target.parent.mkdir(parents=True, exist_ok=True)
    shutil.copyfile(CORPUS / file, target)
    providers = dict.fromkeys(BUILT_IN)
    return check(around, file=target, sections=every_section(), providers=providers)


@pytest.mark.req("WS-13")
@pytest.mark.parametrize(("file", "code", "place"), findings(), ids=lambda value: str(value))
def test_each_mistake_is_found_with_line_reason_and_fix(
    file: str, code: str, place: str, project: Path, around: Environment
):
    problems = checked(f"broken/{file}", place, around)

    found = [problem for problem in problems if problem.code == code]
    assert found, f"only {[str(problem) for problem in problems]}"
    assert all(problem.line >= 1 and problem.what and problem.fix for problem in found)


def test_no_broken_file_is_without_its_row():
    files = {str(p.relative_to(CORPUS / "broken")) for p in (CORPUS / "broken").rglob("*.*")}

    assert files - {"findings.txt"} == {file for file, _, _ in findings()}


@pytest.mark.req("WS-13")
@pytest.mark.parametrize("file", good())
def test_a_correct_file_raises_no_alarm(file: str, project: Path, around: Environment):
    dialect = file.split("/")[1]

    assert checked(file, HOME.get(dialect, "snaphook.toml"), around) == ()
