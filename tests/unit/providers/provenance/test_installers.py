"""installers: what a command installs, and what are only words of it."""

import pytest

from snaphook.providers.provenance.installers import packages
from snaphook.shell.known_programs import PROGRAMS
from snaphook.shell.live import LiveWorld
from snaphook.shell.understood import understand


def installed(command, folder):
    reading = understand(command, LiveWorld(str(folder), env={}, project=str(folder)), PROGRAMS)
    return [value.text for call in reading.calls for value in packages(call)]


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("pip install acme-fix==1.2 other", ["acme-fix", "other"]),
        ("pip install -r requirements.txt", []),
        ("uv pip install acme", ["acme"]),
        ("uv tool install acme", ["acme"]),
        ("uv add acme", ["acme"]),
        ("uv run --with acme python x.py", ["acme"]),
        ("npm i -g @scope/acme@1", ["@scope/acme"]),
        ("npm --prefix web install acme", ["acme"]),
        ("yarn global add acme", ["acme"]),
        ("npx acme run this", ["acme"]),
        ("pnpm dlx create-next-app@latest web", ["create-next-app"]),
        ("docker run --rm acme/tool:1 ls", ["acme/tool"]),
        ("docker pull acme/tool", ["acme/tool"]),
        ("gh extension install acme/gh-x", ["acme/gh-x"]),
        ("claude mcp add acme npx", ["acme", "npx"]),
        ("helm install web acme/chart", ["acme/chart"]),
        ("dotnet add package Acme", ["Acme"]),
        ("pacman -S acme", ["acme"]),
        ("kubectl apply -f https://acme.test/x.yaml", ["https://acme.test/x.yaml"] * 2),
        ("uv run ruff check --fix .", []),
        ("uv run mypy src tests", []),
        ("npm uninstall x --dry-run", []),
        ("npm run build", []),
        ("claude mcp list", []),
        ("docker network create dev", []),
        ("helm upgrade web ./chart", []),
        ("kubectl create configmap app --from-file=a.conf -o yaml", []),
        ("dotnet ef migrations add Init", []),
    ],
)
def test_the_names_of_what_is_installed(command, names, tmp_path):
    assert installed(command, tmp_path) == names
