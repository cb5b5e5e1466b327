"""Commands whose wording shows that they cannot do what was meant."""

import re

from snaphook.config.problems import Notes
from snaphook.config.settings import CommandHook, Dialect
from snaphook.config.take import closest

from .scene import HookScene, beside, own_variables
from .words import files_to_run

WINDOWS = re.compile(
    r"(?:^|[\s\"'])[A-Za-z]:\\|%[A-Z_]{4,}%|\$env:|(?:^|\s)\.{1,2}\\|\w\\\w+\\\w+\.\w+"
    r"|\w\\[\w-]+\.(?:ps1|bat|cmd|exe)\b"
)
"""Drive letters, %VARIABLES%, and paths with backslashes."""

_NAMED = re.compile(r"(?<!\\)\$(?:\{(\w+)[^}]*\}|([A-Za-z_]\w*))")
_TEMPLATE = re.compile(
    r"\{\{\s*\w+\s*\}\}|\$\(\s*(?:CLAUDE|WAVE)_PROJECT_DIR\s*\)"
    r"|(?<![$\w])\{(?:file|files|file_path|filePath|path|tool|tool_name|tool_input)\}"
)
_POSITIONAL = re.compile(r"(?<!\\)\$(?:[1-9@*]|\{[1-9]\})")
_SINGLE = re.compile(r"'[^']*'|<<-?\s*(['\"])(\w+)\1.*?^\s*\2$", re.DOTALL | re.MULTILINE)
"""What the shell keeps as it is: single quotes, and a here-document with a quoted end."""
_QUOTED = re.compile(
    r"""'[^']*'|"(?:[^"\\]|\\.)*"|<<-?\s*(['"]?)(\w+)\1.*?^\s*\2$""", re.DOTALL | re.MULTILINE
)
_TYPOGRAPHIC = re.compile("[\u2018\u2019\u201c\u201d]|(?<=\\s)[\u2013\u2014](?=\\w)")
_POWERSHELL = re.compile(r"^(?:Get|Set|New|Remove|Write|Start|Invoke|Test|Copy|Select)-[A-Z]\w+\b")
_PROJECT = {Dialect.WAVE: "WAVE_PROJECT_DIR"}
_OUR_PREFIXES = ("CLAUDE_", "WAVE_", "HOOK_", "SNAPHOOK_", "TOOL_")
_WISHES = frozenset(
    {"FILE_PATH", "FILE_PATHS", "FILEPATH", "FILE", "ARGUMENTS", "PROJECT_DIR", "PROJECT_ROOT"}
)
"""Names that people expect to be set, because they would be useful."""
_ON_STDIN = "The event comes as JSON on stdin: $(snaphook field tool_input.file_path)."


def not_a_command_line(hook: CommandHook, notes: Notes) -> None:
    """Note a comment, a word processor's quotes, a prompt sign, backticks, a line in exec form."""
    text, at = hook.command.strip(), beside(hook, "command")
    if all(line.lstrip().startswith("#") for line in text.splitlines()):
        what = "the command is a comment, which runs nothing"
        notes.error("not-a-command", at, what, "Write the command to run.")
    elif sign := _TYPOGRAPHIC.search(_QUOTED.sub("''", text)):
        what = f"{sign[0]} is an ordinary character to the shell, not a quote or a dash"
        notes.error("not-a-command", at, what, "Type \", ' and - themselves.", tolerable=True)
    elif text.startswith("$ "):
        fix = "Remove the '$ ' in front."
        notes.error("not-a-command", at, "'$ ' is a prompt, not a part of the command", fix)
    elif text.startswith("`") and text.endswith("`") and text.count("`") == 2:
        what = "backticks around the command run its output as a second command"
        notes.error("not-a-command", at, what, "Remove the backticks.")
    elif hook.args is not None and " " in text:
        what = "with 'args' no shell is used, so 'command' must be one program"
        notes.error("not-a-command", at, what, "Move the words after the program into 'args'.")


def windows_spelling(hook: CommandHook, notes: Notes) -> None:
    """Note paths and variables that only cmd.exe or PowerShell understand."""
    found = WINDOWS.search(_SINGLE.sub("''", hook.command)) or _POWERSHELL.match(hook.command)
    if found:
        what = f"'{found[0].strip()}…' is Windows syntax, but commands run with sh"
        fix = 'Write paths with / and variables as $NAME: "$CLAUDE_PROJECT_DIR/hooks/check.sh".'
        notes.error("windows-path", beside(hook, "command"), what, fix, tolerable=True)


def a_variable_that_nobody_sets(hook: CommandHook, scene: HookScene, notes: Notes) -> None:
    """Note $CLAUDE_PROJET_DIR, $CLAUDE_FILE_PATHS, and {{placeholders}}."""
    at, own = beside(hook, "command"), own_variables(hook.dialect)
    visible = _SINGLE.sub("''", hook.command)
    if found := _TEMPLATE.search(visible):
        project = f'Write "${_PROJECT.get(hook.dialect, "CLAUDE_PROJECT_DIR")}".'
        fix = project if "PROJECT" in found[0] else _ON_STDIN
        what = f"'{found[0]}' is not replaced"
        notes.error("unknown-variable", at, what, fix, tolerable=True)
    sets_them = re.search(r"\bset --|\(\)|\bsh -c", hook.command)
    if (found := _POSITIONAL.search(visible)) and not sets_them:
        what = f"hooks get no arguments, so {found[0]} is empty"
        notes.error("unknown-variable", at, what, _ON_STDIN, tolerable=True)
    for name in sorted({found[1] or found[2] for found in _NAMED.finditer(visible)}):
        ours = name.startswith(_OUR_PREFIXES) or name.upper() in _WISHES
        if not ours and not closest(name, own, cutoff=0.85):
            continue
        if name in own or name in hook.env or name in scene.env or _is_set_in(name, hook.command):
            continue
        what = f"nothing sets ${name} for hooks of the {hook.dialect} dialect"
        notes.error("unknown-variable", at, what, _instead(name, own), tolerable=True)


def quotes_that_stop_expansion(hook: CommandHook, notes: Notes) -> None:
    """Note "~/x" and '$CLAUDE_PROJECT_DIR/x' where a program or script should stand."""
    for word, _ in files_to_run(hook):
        if word.startswith(('"~/', "'~/")):
            what = f"{word} is not expanded: the shell expands ~ only outside quotes"
            fix = f'Write "$HOME{word[2:-1]}".'
        elif word.startswith("'") and "$" in word:
            what = f"{word} is not expanded: the shell does not expand variables in single quotes"
            fix = "Use double quotes."
        else:
            continue
        notes.error("quoted-away", beside(hook, "command"), what, fix, tolerable=True)


def _is_set_in(name: str, command: str) -> bool:
    return bool(
        re.search(rf"\b{name}=|\bread\s+(?:-\w+\s+)*(?:\w+\s+)*{name}\b|for {name}\b", command)
    )


def _instead(name: str, own: frozenset[str]) -> str:
    meant = closest(name, own, cutoff=0.75)
    if meant:
        return f"Did you mean '${meant}'?"
    return _ON_STDIN
