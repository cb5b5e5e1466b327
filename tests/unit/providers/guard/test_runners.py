"""Package runners and the like: what runs is the command inside."""

import pytest

from snaphook.providers.guard.examine import examine
from snaphook.shell.world import StillWorld


@pytest.mark.parametrize(
    ("command", "inside"),
    [
        ("npx rimraf dist", "rimraf dist"),
        ("npx -y rimraf@5 dist --glob", "rimraf dist --glob"),
        ("npx -p typescript tsc -p .", "tsc -p ."),
        ("npx @scope/tool@1.2 x", "@scope/tool x"),
        ("npx -c 'echo a b'", "echo a b"),
        ("npm exec -- echo -n x", "echo -n x"),
        ("npm exec -c 'echo x'", "echo x"),
        ("pnpm exec echo x", "echo x"),
        ("pnpm dlx cowsay hi", "cowsay hi"),
        ("yarn dlx cowsay hi", "cowsay hi"),
        ("bunx cowsay hi", "cowsay hi"),
        ("uv run echo -n x", "echo -n x"),
        ("uv run --with rich --python 3.12 -- echo x", "echo x"),
        ("uv run tool.py --flag", "python tool.py --flag"),
        ("uv tool run ruff check", "ruff check"),
        ("uvx --from build pyproject-build -w", "pyproject-build -w"),
        ("pipx run cowsay hi", "cowsay hi"),
        ("guix shell jq -- jq .", "jq ."),
        ("ssh-agent -t 60 echo x", "echo x"),
        ("faketime '2020-01-01' date", "date"),
        ("prlimit --nofile=10 echo x", "echo x"),
        ("dtach -n /tmp/s echo x", "echo x"),
        ("sops exec-env secrets.yaml 'echo x'", "echo x"),
        ("salt '*' cmd.run 'echo x'", "echo x"),
        ("expect -c 'spawn echo x; interact'", "echo x"),
        ("env - echo x", "echo x"),
        ("runuser -l root -c 'echo x'", "echo x"),
        ("runuser -u dev -- echo -n x", "echo -n x"),
        ("script -q /dev/null echo -n x", "echo -n x"),
        ("setarch x86_64 -R echo -n x", "echo -n x"),
        ("hyperfine --prepare 'echo x' 'ls -l'", "echo x"),
        ("ssh host -- echo x", "echo x"),
        ("adb shell echo -n x", "echo -n x"),
    ],
)
def test_the_command_inside_is_seen(command, inside):
    calls = [str(call) for call in examine(command, StillWorld()).calls]

    assert inside in calls


@pytest.mark.parametrize("command", ["npm install", "uv sync", "yarn", "pnpm -r build", "npx"])
def test_what_runs_no_other_command_is_one_call(command):
    assert [str(call) for call in examine(command, StillWorld()).calls] == [command]
