"""transcripts: what real agents wrote down of the same small session, read alike."""

from pathlib import Path

import pytest

from snaphook.canon import Usage
from snaphook.transcripts import (
    AssistantText,
    ToolCalled,
    ToolReturned,
    TranscriptEntry,
    TranscriptReading,
    UsageReported,
    UserPrompt,
    read,
)

SAMPLES = Path(__file__).with_name("samples")
HOSTS = ("claude-code", "codex", "gemini-cli")
SHELL = {
    "claude-code": ("Bash", "command"),
    "codex": ("Bash", "command"),
    "gemini-cli": ("run_shell_command", "command"),
}


def sample(host: str) -> Path:
    return SAMPLES / f"{host}.jsonl"


def told(entry: TranscriptEntry, host: str) -> object:
    """Return what is the same for all agents."""
    match entry:
        case UserPrompt(text=text):
            return ("prompted", text)
        case AssistantText(text=text):
            return ("said", text)
        case ToolCalled(tool=tool, args=args):
            name, key = SHELL[host]
            return ("called", tool == name, args[key])
        case ToolReturned(failed=failed):
            return ("returned", failed)
    return None


@pytest.mark.parametrize("host", HOSTS)
def test_each_agent_tells_the_same_story(host: str):
    entries = list(read(sample(host)))

    assert [told(entry, host) for entry in entries if not isinstance(entry, UsageReported)] == [
        ("prompted", "Write a note"),
        ("said", "I write the note."),
        ("called", True, "echo hello > note.txt"),
        ("returned", False),
        ("called", True, "false"),
        ("returned", True),
        ("said", "All done."),
    ]
    assert {entry.host for entry in entries} == {host}
    assert {entry.cwd for entry in entries} == {"/home/ada/project"}
    assert len({entry.session for entry in entries}) == 1
    assert all(entry.session and entry.time > 1.7e9 for entry in entries)


@pytest.mark.parametrize("host", HOSTS)
def test_what_was_used_counts_once_for_each_answer(host: str):
    used = {entry.id: entry for entry in read(sample(host)) if isinstance(entry, UsageReported)}

    assert [entry.usage for entry in used.values()] == [
        Usage(input_tokens=100, output_tokens=20)
    ] * 3
    assert all(entry.model for entry in used.values())


@pytest.mark.parametrize("host", HOSTS)
def test_calls_and_their_returns_belong_together(host: str):
    entries = list(read(sample(host)))

    assert [entry.id for entry in entries if isinstance(entry, ToolCalled)] == [
        entry.id for entry in entries if isinstance(entry, ToolReturned)
    ]


@pytest.mark.parametrize("host", HOSTS)
@pytest.mark.parametrize("size", [1, 7, 1000])
def test_a_transcript_read_as_it_grows_tells_nothing_twice_and_nothing_less(
    host: str, size: int, tmp_path: Path
):
    whole, growing = sample(host).read_bytes(), tmp_path / "growing.jsonl"
    growing.touch()
    now = TranscriptReading(growing)
    found: list[TranscriptEntry] = []

    step = max(size, len(whole) // 200)
    for end in range(0, len(whole) + step, step):
        growing.write_bytes(whole[:end])
        found += now.more()

    assert found == list(read(sample(host)))


@pytest.mark.parametrize("host", HOSTS)
def test_lines_that_are_none_of_the_agents_are_passed_over(host: str, tmp_path: Path):
    strange = b'\x00\xff\n[]\n"a"\n{}\n{"type": 3}\n{"payload": [], "type": "x"}\n{"$set": 1}\n'
    broken = tmp_path / "broken.jsonl"
    broken.write_bytes(
        b"".join(line + b"\n" + strange for line in sample(host).read_bytes().splitlines())
    )

    assert list(read(broken)) == list(read(sample(host)))


def test_the_older_single_document_of_gemini_is_read(tmp_path: Path):
    old = tmp_path / "session.json"
    old.write_text(
        """{
          "sessionId": "s", "projectHash": "h", "messages": [
            {"id": "1", "type": "user", "content": "hello"},
            {"id": "2", "type": "gemini", "content": "hi", "model": "m", "tokens": {"input": 7, "cached": 2}}
          ]
        }"""
    )

    assert list(read(old)) == [
        UserPrompt(host="gemini-cli", session="s", text="hello"),
        AssistantText(host="gemini-cli", session="s", text="hi"),
        UsageReported(
            host="gemini-cli",
            session="s",
            id="2",
            model="m",
            usage=Usage(input_tokens=7, cache_read_tokens=2),
        ),
    ]


@pytest.mark.parametrize("content", ["", "\n", "no JSON", '{"a": 1}\n', "[" * 100_000])
def test_what_is_no_transcript_tells_nothing(content: str, tmp_path: Path):
    file = tmp_path / "file"
    file.write_text(content)

    assert list(read(file)) == []


def test_tokens_from_the_cache_are_told_apart(tmp_path: Path):
    file = tmp_path / "rollout.jsonl"
    file.write_text(
        '{"type": "session_meta", "payload": {"id": "s", "cwd": "/p"}}\n'
        '{"type": "turn_context", "payload": {"model": "gpt"}}\n'
        '{"type": "event_msg", "payload": {"type": "token_count", "info": {"total_token_usage":'
        ' {"input_tokens": 100, "cached_input_tokens": 60, "output_tokens": 5}}}}\n'
    )

    assert list(read(file)) == [
        UsageReported(
            host="codex",
            session="s",
            cwd="/p",
            id="at 100+5",
            model="gpt",
            usage=Usage(input_tokens=100, output_tokens=5, cache_read_tokens=60),
        )
    ]


@pytest.mark.parametrize(
    ("payload", "tool", "args", "cwd"),
    [
        pytest.param(
            '{"type": "function_call", "name": "shell", "arguments":'
            ' "{\\"command\\": [\\"bash\\", \\"-lc\\", \\"ls -l | wc\\"]}"}',
            "Bash",
            {"command": "ls -l | wc"},
            "/p",
            id="a shell in a list",
        ),
        pytest.param(
            '{"type": "local_shell_call", "action": {"command": ["git", "commit", "-m", "a b"],'
            ' "working_directory": "sub"}}',
            "Bash",
            {"command": "git commit -m 'a b'"},
            "/p/sub",
            id="split words, in a folder",
        ),
        pytest.param(
            '{"type": "custom_tool_call", "name": "apply_patch", "input": "*** Begin Patch"}',
            "apply_patch",
            {"command": "*** Begin Patch"},
            "/p",
            id="a patch",
        ),
    ],
)
def test_every_spelling_of_a_call_of_codex_is_told_as_its_hooks_tell_it(
    payload: str, tool: str, args: dict[str, str], cwd: str, tmp_path: Path
):
    file = tmp_path / "rollout.jsonl"
    file.write_text(
        '{"type": "session_meta", "payload": {"id": "s", "cwd": "/p"}}\n'
        f'{{"type": "response_item", "payload": {payload}}}\n'
    )

    [called] = read(file)

    assert called == ToolCalled(host="codex", session="s", cwd=cwd, id="", tool=tool, args=args)


def test_the_story_of_qwen_code_is_told_too():
    entries = list(read(SAMPLES.with_name("used") / "qwen-code.jsonl"))

    assert [type(entry) for entry in entries] == [
        UserPrompt,
        *(AssistantText, ToolCalled, UsageReported, ToolReturned) * 2,
        *(AssistantText, UsageReported),
    ]
    assert [
        (entry.tool, entry.args["command"]) for entry in entries if isinstance(entry, ToolCalled)
    ] == [
        ("run_shell_command", "echo one"),
        ("run_shell_command", "echo two"),
    ]
    assert {(entry.host, entry.cwd) for entry in entries} == {("qwen-code", "/home/user/project")}
