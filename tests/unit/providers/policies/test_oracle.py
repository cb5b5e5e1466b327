"""Compatible mode agrees with the package it is compatible with, call by call.

Squad's own pipeline, from npm, is asked the same questions: same action, same reason, same result.
"""

import asyncio
import json
import random
import subprocess
import tarfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.thorough import only_thoroughly

from snaphook.providers.policies import (
    HookPipeline,
    PostToolUseContext,
    PreToolUseContext,
    read_options,
)

PACKAGE = "@bradygaster/squad-sdk@0.13.1"
CACHE = Path(__file__).parents[4] / ".cache" / "squad-sdk-0.13.1"
SCENARIOS = 600
CALLS = 12

TOOLS = ["edit", "create", "write_file", "create_file", "Edit", "Write", "view", "read_file"]
SHELLS = ["bash", "shell", "powershell", "exec", "Bash", "sh"]
GLOBS = [
    *("src/**", "**/*.md", "*.ts", "src/*.ts", "docs/?.md", "**", "lib/(a|b)/**", "src/[ab].ts"),
    *("a.b", "src\\**", "***", "x+y/*", "", "/abs/**", "ünï/*"),
]
PATHS = [
    *("src/a.ts", "src/b/c.ts", "./src/a.ts", "src/../../etc/passwd", "README.md", "docs/a.md"),
    *("docs/ab.md", "lib/a/x", "lib/c/x", "src\\a.ts", "axb", "a.b", "/abs/x", "s", "xxy/q"),
    *("ünï/é", "src/a.ts\n", "", "src/auth.ts", "auth.ts", "src/auth.ts.bak"),
]
COMMANDS = [
    *("rm -rf /", "rm -fr /", "rm  -rf x", "RM -RF x", 'echo "rm -rf"', "git push --force"),
    *("git push --force-with-lease", "git push -f", "git rebase main", "git reset --hard", "ls"),
    *("npm publish", "", "sudo  shutdown", "echo x > /etc/passwd"),
]
BLOCKED = ["rm -rf", "npm publish", "shutdown", "git", "", " ", "--force"]
AGENTS = ["ada", "grace", ""]
SESSIONS = ["s1", "s2"]
ARTIFACTS = ["src/auth.ts", "auth", "", "docs", "src"]
PIECES = [
    *("a@b.com", "a@b.com@c.org", "_x@d.org", "@", "x@y", "x.y+z@sub.example.co.uk", "ü@b.de"),
    *(
        "a@b.c",
        "a@-.com",
        " ",
        "\n",
        "hello",
        "a@b.com_x@d.org",
        "555-123-4567",
        "%@%.zz",
        "..@a.bc",
    ),
]


def config(dice: random.Random) -> dict[str, Any]:
    return {
        key: value
        for key, value in {
            "allowedWritePaths": dice.sample(GLOBS, dice.randint(0, 3)),
            "blockedCommands": dice.choice([None, [], dice.sample(BLOCKED, dice.randint(1, 3))]),
            "maxAskUserPerSession": dice.choice([-1, 0, 1, 2, 3]),
            "scrubPii": dice.choice([True, False]),
            "reviewerLockout": dice.choice([True, False]),
        }.items()
        if dice.random() < 0.8
    }


def call(dice: random.Random) -> dict[str, Any]:
    kind = dice.choice(["write", "shell", "ask"])
    tool = {"write": TOOLS, "shell": SHELLS, "ask": ["ask_user", "askUser"]}[kind]
    odd: list[Any] = [None, 0, 5, [], ["rm -rf"], {}, True, False]
    values: list[Any] = COMMANDS if kind == "shell" else PATHS
    keys = ["command", "cmd"] if kind == "shell" else ["path", "file_path", "filePath"]
    return {
        "toolName": dice.choice(tool),
        "arguments": {
            key: dice.choice(values if dice.random() < 0.85 else odd)
            for key in dice.sample(keys, dice.randint(0, 2))
        },
        "agentName": dice.choice(AGENTS),
        "sessionId": dice.choice(SESSIONS),
    }


def result(dice: random.Random, depth: int = 0) -> Any:
    text = "".join(dice.choices(PIECES, k=dice.randint(0, 6)))
    if depth > 2 or dice.random() < 0.5:
        return dice.choice([text, text, text, 7, 1.5, True, None])
    if dice.random() < 0.5:
        return [result(dice, depth + 1) for _ in range(dice.randint(0, 3))]
    return {f"{key}{text}": result(dice, depth + 1) for key in "abc"[: dice.randint(0, 3)]}


def scenarios() -> Iterator[dict[str, Any]]:
    for seed in range(SCENARIOS):
        dice = random.Random(seed)
        pairs = [[dice.choice(ARTIFACTS), dice.choice(AGENTS)] for _ in range(dice.randint(0, 3))]
        yield {
            "config": config(dice),
            "lockouts": pairs,
            "before": [call(dice) for _ in range(CALLS)],
            "after": [{**call(dice), "result": result(dice)} for _ in range(CALLS)],
        }


async def ours(scenario: dict[str, Any]) -> dict[str, Any]:
    options = {**scenario["config"], "mode": "compatible"}
    pipeline = HookPipeline(read_options(options))
    for artifact, agent in scenario["lockouts"]:
        pipeline.get_reviewer_lockout().lockout(artifact, agent)
    pre = [
        await pipeline.run_pre_tool_hooks(PreToolUseContext(**_named(each)))
        for each in scenario["before"]
    ]
    post = [
        await pipeline.run_post_tool_hooks(PostToolUseContext(**_named(each)))
        for each in scenario["after"]
    ]
    return {
        "pre": [
            {"action": each.action, **({"reason": each.reason} if each.reason else {})}
            for each in pre
        ],
        "post": [{"result": each.result} for each in post],
    }


def _named(context: dict[str, Any]) -> dict[str, Any]:
    ours = {"toolName": "tool_name", "agentName": "agent_name", "sessionId": "session_id"}
    return {ours.get(key, key): value for key, value in context.items()}


@pytest.fixture
def original(give_up):
    entry = CACHE / "package" / "dist" / "hooks" / "index.js"
    if not entry.exists():
        CACHE.mkdir(parents=True, exist_ok=True)
        pack = ["npm", "pack", "--silent", "--pack-destination", str(CACHE), PACKAGE]
        if subprocess.run(pack, capture_output=True, check=False).returncode != 0:
            give_up(f"needs {PACKAGE}, which npm cannot fetch here")
        with tarfile.open(next(CACHE.glob("*.tgz"))) as archive:
            archive.extractall(CACHE, filter="data")
    return entry


@only_thoroughly
@pytest.mark.req("SQ-3")
@pytest.mark.needs("node", "npm")
def test_thousands_of_calls_get_the_answers_squad_gives(original):
    asked = list(scenarios())
    oracle = subprocess.run(
        ["node", str(Path(__file__).with_name("oracle.mjs")), str(original)],
        input=json.dumps(asked),
        capture_output=True,
        text=True,
        check=True,
    )
    theirs = json.loads(oracle.stdout)

    assert len(theirs) * CALLS * 2 == 14_400
    blocks = 0
    for scenario, expected in zip(asked, theirs, strict=True):
        answered = asyncio.run(ours(scenario))
        assert answered == expected, scenario
        blocks += sum(each["action"] == "block" for each in answered["pre"])
    assert blocks > 500
