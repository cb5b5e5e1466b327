"""Commands that would do harm each time they run."""

import re

from snaphook.config.problems import Notes
from snaphook.config.settings import CommandHook

from .scene import HookScene, beside
from .words import Words, simple_commands


def dangerous(hook: CommandHook, scene: HookScene, notes: Notes) -> None:
    """Note a hook that would do harm each time it runs."""
    at = beside(hook, "command")
    if re.search(r"\b(curl|wget)\b[^|;&]*\|\s*(sudo\s+)?(ba|z)?sh\b", hook.command):
        what = "the command downloads and runs code from a server each time"
        notes.warning("unsafe", at, what, "Download it once, review it, and run the local file.")
    if re.search(r">\s*/dev/(sd|nvme|hd|disk)\w*", hook.command) or ":(){" in hook.command:
        what = "the command may be unsafe: it writes over a disk or never stops forking"
        notes.error("unsafe", at, what, "Remove it.", tolerable=True)
    for words in simple_commands(hook.command):
        if harm := _harm(words, scene):
            what = f"the command may be unsafe: {harm}"
            fix = "Name exactly what to delete, inside the project."
            notes.error("unsafe", at, what, fix, tolerable=True)


def _harm(words: Words, scene: HookScene) -> str | None:
    """Return what a simple command destroys, if it destroys something large."""
    program, *rest = words.unwrapped().written
    flags = "".join(word for word in rest if word.startswith("-"))
    targets = [word.strip("\"'").rstrip("/*") for word in rest if not word.startswith("-")]
    everything = {"", "~", "$HOME", "${HOME}", str(scene.home), "/etc", "/usr", "/var", "/home"}
    if program == "rm" and re.search(r"[rR]|--recursive", flags) and everything & set(targets):
        return "it deletes everything below a root or home folder"
    if program == "rm" and words.program in ("sudo", "doas"):
        return "it deletes as root"
    if program.startswith("mkfs") or program == "fdisk":
        return f"'{program}' wipes disks"
    if program == "dd" and any(word.startswith("of=/dev/") for word in rest):
        return "'dd' writes over a device"
    if program == "chmod" and "R" in flags and "777" in targets and "" in targets:
        return "it opens the whole disk to everyone"
    return None
