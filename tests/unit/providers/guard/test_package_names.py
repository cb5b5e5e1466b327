"""Package names that are nearly another's: asked about, with the name that was probably meant."""

import pytest

from snaphook.providers.guard import GuardAnswer, StillWorld, examine
from snaphook.providers.guard.rules.package_names import imitated
from snaphook.shell.popular import BY_REGISTRY


@pytest.mark.parametrize(
    ("command", "meant"),
    [
        ("pip install reqeusts", "requests"),
        ("pip3 install --user 'panadas==2.1'", "pandas"),
        ("python -m pip install Djagno", "django"),
        ("pip install python_dotenvv", "python-dotenv"),
        ("uv add numpyy", "numpy"),
        ("poetry add fastapii", "fastapi"),
        ("uv run --with reqeusts x.py", "requests"),
        ("npm install crossenv", "cross-env"),
        ("npm i -D typescrip", "typescript"),
        ("yarn add expres", "express"),
        ("pnpm add mongose@7", "mongoose"),
        ("npx eslnt .", "eslint"),
        ("npm install loadash", "lodash"),
        ("cargo add serdee", "serde"),
        ("gem install nokogiry", "nokogiri"),
        ("pip install flask reqests", "requests"),
        ("bash -c 'npm install crossenv'", "cross-env"),
    ],
)
def test_a_name_close_to_a_popular_one_is_asked_about_with_that_name(command, meant):
    judgement = examine(command, StillWorld())

    assert judgement.answer is GuardAnswer.ASK
    (objection,) = [one for one in judgement.objections if one.rule == "packages.lookalike"]
    assert f"Did you mean '{meant}'?" in objection.instead


@pytest.mark.parametrize(
    "command",
    [
        "pip install requests flask",
        "pip install -r requirements.txt",
        "pip install -e .",
        "pip install ./reqeusts",
        "pip install some-internal-package",
        "npm install preact",
        "npm install mysql",
        "npm ci",
        "npm install --save-dev @types/node @acme/cross-env",
        "npx create-next-app app",
        "npx vitest run crossenv",
        "uv run pytest",
        "cargo add tokio --features full",
        "pip download --help",
        "pip uninstall reqeusts",
        "npm run crossenv",
    ],
)
def test_other_names_and_other_commands_are_left_alone(command):
    rules = {one.rule for one in examine(command, StillWorld()).objections}

    assert "packages.lookalike" not in rules


def test_a_name_that_the_project_already_uses_is_left_alone():
    files = {"/home/me/project/package.json": '{"dependencies": {"crossenv": "1.0.0"}}'}

    assert examine("npm install crossenv", StillWorld(files=files)).answer is GuardAnswer.ALLOW
    assert examine("npm install expres", StillWorld(files=files)).answer is GuardAnswer.ASK


def test_no_popular_package_counts_as_an_imitation_of_another():
    found = {
        (registry, name, known)
        for registry, names in BY_REGISTRY.items()
        for name in names
        if (known := imitated(name, registry))
    }

    assert found == set()
