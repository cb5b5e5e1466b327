"""Every way we fail, sorted by who can put it right.

SnaphookError
├── UserError        whoever typed the command or wrote the settings
│   ├── ConfigError    a settings file says something we cannot follow
│   ├── TrustError     a project asks for something nobody approved yet
│   ├── UsageError     a command was called with words it does not take
│   ├── BuildError     a build cannot go on: a gate stays closed, nothing gets done, a limit is reached
│   ├── ClaimError     a task is not free, or no longer belongs to whoever wants to change it
│   └── PromptRefused  a hook would not have a prompt sent
├── HostError        the agent that calls us, or that we call
│   ├── WireError      its message is not one we can read
│   └── DriverError    it failed while it planned or built
├── HookError        whoever wrote the hook or the provider
│   └── ProviderError  a provider raised, timed out, or answered out of turn
├── MachineError     whoever runs this machine
│   ├── ProcessError   a program could not be started
│   ├── StoreError     something kept on disk or in a database cannot be read or written
│   └── MissingExtra   an optional dependency is not installed
└── Bug              us

A message has three beats, 'where: what. What to do next.', and carries them as attributes.
"""


class SnaphookError(Exception):
    """Something went wrong, told as where, what, and what to do next."""

    def __init__(self, *, where: str, what: str, fix: str) -> None:
        self.where = where
        self.what = what
        self.fix = fix
        super().__init__(f"{where}: {what}. {fix}")

    def __reduce__(self) -> tuple[object, ...]:
        """Travel between processes whole, though the constructor takes keywords only."""
        return _rebuild, (type(self), self.where, self.what, self.fix)


def _rebuild(kind: type[SnaphookError], where: str, what: str, fix: str) -> SnaphookError:
    return kind(where=where, what=what, fix=fix)


class UserError(SnaphookError):
    """The person at the keyboard can put it right."""


class ConfigError(UserError):
    """A settings file says something we cannot follow."""


class TrustError(UserError):
    """A project asks for something that nobody approved yet."""


class UsageError(UserError):
    """A command was called with words it does not take."""


class BuildError(UserError):
    """A build cannot go on until a person has looked."""


class ClaimError(UserError):
    """A task is not free, or it no longer belongs to whoever wants to change it."""


class PromptRefused(UserError):  # noqa: N818 - it names what happened
    """A hook would not have a prompt sent, inside an agent that hears of it by an exception."""


class HostError(SnaphookError):
    """The agent that calls us, or that we call, did something unexpected."""


class WireError(HostError):
    """A host's message is not one we can read."""


class DriverError(HostError):
    """An agent failed while it planned or built; that is never a gate's business."""


class HookError(SnaphookError):
    """The author of a hook or a provider can put it right."""


class ProviderError(HookError):
    """A provider raised, ran out of time, or gave an answer its event does not take."""


class MachineError(SnaphookError):
    """Whoever runs this machine can put it right."""


class ProcessError(MachineError):
    """A program could not be started."""


class StoreError(MachineError):
    """Something kept on disk or in a database cannot be read or written."""


class MissingExtra(MachineError):  # noqa: N818 - it names what is missing, as ModuleNotFoundError does
    """An optional dependency is not installed; the message holds the line that installs it."""

    @classmethod
    def named(cls, extra: str, *, wanted_by: str) -> "MissingExtra":
        """Return the error for *extra*, with the exact line to type."""
        from snaphook.installed import install_command

        return cls(
            where=wanted_by,
            what=f"needs the '{extra}' extra, which is not installed",
            fix=f"Run: {install_command(extra)}",
        )


class Bug(SnaphookError):  # noqa: N818 - it is what it says
    """Our own mistake."""
