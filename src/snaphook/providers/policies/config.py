"""The policies a project chooses, as one frozen value. How options become one is in ``options``."""

from enum import StrEnum

from msgspec import Struct

DEFAULT_BLOCKED_COMMANDS = ("rm -rf", "git push --force", "git rebase", "git reset --hard")


class PolicyMode(StrEnum):
    """How the policies read a call."""

    STRICT = "strict"
    """By what it does: resolved paths, parsed commands, every host's tool names."""
    COMPATIBLE = "compatible"
    """By its letters, exactly as Squad's own pipeline does."""


class PolicyConfig(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Which policies are on."""

    allowed_write_paths: tuple[str, ...] = ()
    """Globs, relative to the project's root; empty allows every path."""
    blocked_commands: tuple[str, ...] | None = None
    """``None`` is ``DEFAULT_BLOCKED_COMMANDS``; an empty list blocks nothing."""
    max_ask_user_per_session: int | None = None
    scrub_pii: bool = False
    scrub_secrets: bool = False
    reviewer_lockout: bool = False
    mode: PolicyMode = PolicyMode.STRICT
    scrub_allow: tuple[str, ...] = ()
    """Values never scrubbed: exact texts, or ``/regular expressions/``."""
    state_dir: str = ""
    """Where counts and lockouts outlive this process; empty keeps them in memory."""
    salt_file: str = ""
    """The salt of placeholders; empty keeps one in ``state_dir``."""

    @property
    def commands(self) -> tuple[str, ...]:
        """Return the blocked commands, the default ones where none were given."""
        given = self.blocked_commands
        return DEFAULT_BLOCKED_COMMANDS if given is None else given
