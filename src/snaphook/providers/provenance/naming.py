"""Who named a value.

Value + Session  ->  named by the person or the project, or first seen in which text
"""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from msgspec import Struct

from snaphook.shell.popular import POPULAR
from snaphook.stores.provenance.entries import Finding
from snaphook.stores.provenance.session import Origin, Session

from .reasons import found
from .settings import ProvenanceSettings
from .sites import host_of, is_local, is_public, site_of
from .values import Value


class Naming(Struct, frozen=True, kw_only=True):
    """What a session, its project and the settings say about values."""

    session: Session
    settings: ProvenanceSettings
    project_names: Callable[[str], bool]
    """Whether a tracked file names a value; slow, so asked last."""

    def finding(self, value: Value, *, pointed: bool = True) -> Finding | None:
        """Return where *value* came from if only texts from outside named it.

        Without *pointed*, a text that the person asked to be read may name whom to write to.
        """
        if value.kind in ("package", "image") and value.text.lower() in POPULAR:
            return None
        if (
            value.is_destination
            and value.kind != "remote"
            and is_public(host_of(value.text))
            and "@" not in value.text
        ):
            return None
        origin = self.origin(value)
        if origin is None or (not pointed and origin.source.pointed and not origin.told):
            return None
        return None if self.named(value) else found(value, origin)

    def named_address(self, address: str) -> bool:
        """Say whether the person or the project named *address*, or the host it is on."""
        return self.named(Value(kind="URL", text=address))

    def origin(self, value: Value) -> Origin | None:
        """Return the first source of *value*, under any of the names it goes by."""
        for spelled in _identities(value):
            if (origin := self.session.origin(spelled)) is not None:
                return origin
        return None

    def named(self, value: Value) -> bool:
        """Say whether the person or the project named *value*, or a setting allows it."""
        if self.allowed(value.text) or self.session.named(value.text):
            return True
        if value.kind in ("URL", "host", "remote", "package index") or "://" in value.text:
            host = host_of(value.text)
            if not is_public(host):
                return is_local(host) or self.host_named(host)
            return any(
                self.session.named(one) or self.project_names(one) for one in _owners(value.text)
            )
        return self.project_names(value.text)

    def host_named(self, host: str) -> bool:
        """Say whether the person or the project named *host*, or another host of its site."""
        site = site_of(host)
        if any(self.allowed(one) or self.session.named(one) for one in (host, site)):
            return True
        return self.project_names(site)

    def allowed(self, text: str) -> bool:
        """Say whether a setting allows *text* wherever it came from."""
        return any(fnmatchcase(text.lower(), shape.lower()) for shape in self.settings.allow)


def _identities(value: Value) -> Iterable[str]:
    """Return the spellings under which a text may have named *value*: whole, its owner, its host."""
    yield value.text
    if value.kind in ("URL", "host", "remote", "package index") or "://" in value.text:
        host = host_of(value.text)
        if is_public(host):
            yield from _owners(value.text)
        elif host:
            yield host
            if site_of(host) != host:
                yield site_of(host)


def _owners(url: str) -> list[str]:
    """Return ``owner/name`` of a repository or package on a host that everybody uses."""
    path = url.partition("://")[2] or url
    names = [name for name in path.replace(":", "/").split("/")[1:] if name]
    if len(names) < 2:
        return names[:1]
    return [
        f"{names[0]}/{names[1].removesuffix('.git')}",
        names[1].removesuffix(".git") if len(names[1]) > 6 else names[0],
    ][:1]
