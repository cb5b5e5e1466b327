"""Whether the values at a call's sinks came from where they should.

Sinks + Session  ->  Objection | None

A value that the person or the project named is fine. A value that only a text from outside named is
asked about where it takes effect; a secret that would leave is stopped. Nothing here guesses what a
model meant: it looks up where each value was first seen.
"""

from collections.abc import Callable, Iterable
from fnmatch import fnmatchcase

from msgspec import Struct

from snaphook.canon import Verdict
from snaphook.stores.provenance.entries import Finding, Secret, Source, Trust
from snaphook.stores.provenance.parts import parts
from snaphook.stores.provenance.session import Origin, Session

from .carried import carried
from .popular import POPULAR
from .settings import ProvenanceSettings
from .sinks import Sink, SinkKind
from .sites import host_of, is_local, is_public, site_of
from .tools import action_of
from .values import Value, is_moment

COPIED = 0.7
"""Part of a script or an instruction that must stand in one text from outside to count as its copy."""
SHORTEST_COPY = 4
"""Windows that a copy has at least: shorter texts are commonplaces."""
_COMMON_TEXT = """
    true false none null yes no on off r w rw read write today tomorrow now all any main master
    default public private general random low medium high open closed new old user admin test
    name title subject body id me you it the a an and or of to in for with file files email
    message hello hi
"""
_COMMON = frozenset(_COMMON_TEXT.split())
_RANK = {"off": 0, "warn": 1, "ask": 2, "deny": 3}


class Objection(Struct, frozen=True, kw_only=True):
    """Why a call should not simply run."""

    rule: str
    answer: str
    reason: str
    what: str
    findings: tuple[Finding, ...] = ()

    @property
    def verdict(self) -> Verdict | None:
        """What the host is told; nothing for a warning."""
        return {"ask": Verdict.ASK, "deny": Verdict.DENY}.get(self.answer)


class Judge(Struct, frozen=True, kw_only=True):
    """Everything a judgement hangs on besides the call."""

    session: Session
    key: bytes
    settings: ProvenanceSettings
    project_names: Callable[[str], bool]
    """Whether a tracked file names a value; slow, so asked last."""
    content_of: Callable[[str], str | None]
    """The text of a file that would be sent."""

    def judge(self, sinks: Iterable[Sink]) -> Objection | None:
        """Return the severest objection to *sinks*, the first of equals."""
        found = [
            one for sink in sinks for one in (self._of_secret(sink), self._of_values(sink)) if one
        ]
        return max(found, key=lambda one: _RANK[one.answer], default=None)

    # Secrets

    def _of_secret(self, sink: Sink) -> Objection | None:
        if not self.session.secrets or sink.kind in (SinkKind.RUN, SinkKind.INSTALL):
            return None
        files = (text for path in sink.paths if (text := self.content_of(path)))
        texts = (*sink.texts, *(files if sink.kind is not SinkKind.OBEY else ()))
        secret = carried(texts, self.session, self.key)
        if secret is None:
            return None
        hosts = [
            host for value in sink.values if (host := host_of(value.text)) and value.is_destination
        ]
        if hosts and all(self._may_have(secret, host) for host in hosts):
            return None
        return self._objection("secret", "deny", sink, (), _secret_reason(secret, hosts))

    def _may_have(self, secret: Secret, host: str) -> bool:
        """Say whether *secret* may go to *host*: named by the person or the project, or its own service."""
        owners = {
            word for word in secret.kind.lower().replace("_", "-").split("-") if len(word) > 3
        }
        if is_local(host) or owners & set(site_of(host).split(".")):
            return True
        return self._host_named(host)

    # Values

    def _of_values(self, sink: Sink) -> Objection | None:
        if not self.session.has_outside:
            return None
        match sink.kind:
            case SinkKind.RUN:
                return self._of_run(sink)
            case SinkKind.OBEY:
                return self._of_obeyed(sink)
            case SinkKind.FETCH:
                return self._of_fetch(sink)
            case _ if sink.tool:
                return self._of_tool(sink)
            case _:
                return self._of_named(sink)

    def _of_named(self, sink: Sink) -> Objection | None:
        """Judge a command: each value it names must have been named by somebody who may."""
        findings = [one for value in sink.values if (one := self._finding(value))]
        if not findings:
            return None
        severe = sink.kind in (SinkKind.SEND, SinkKind.REMOTE) and self.session.has_secrets
        reason = _value_reason(findings[0], "The session has also read secrets." if severe else "")
        return self._objection(sink.kind, "deny" if severe else "ask", sink, findings, reason)

    def _of_fetch(self, sink: Sink) -> Objection | None:
        """Judge a download: following a link is fine, unless it was an order or could carry a secret."""
        for value in sink.values:
            origin = self._origin(value)
            if origin is None or is_public(host_of(value.text)) or self._named(value):
                continue
            verbatim = self.session.origin(value.text) is not None
            ordered = origin.told and (
                origin.source.addressed or not _is_documentation(origin.source)
            )
            if ordered or (self.session.has_secrets and not verbatim):
                finding = _found(value, origin)
                severe = self.session.has_secrets and not verbatim
                more = (
                    "The session has also read secrets, and the address is more than the text gave."
                    if severe
                    else ""
                )
                reason = _value_reason(finding, more)
                return self._objection(
                    "fetch", "deny" if severe else "ask", sink, [finding], reason
                )
        return None

    def _of_run(self, sink: Sink) -> Objection | None:
        for path in sink.paths:
            written = self.session.file(path)
            if written is not None and not written.named:
                source = self.session.source(written.number) or _unknown(written.number)
                finding = Finding(
                    kind="script",
                    value=path,
                    number=written.number,
                    tool=source.tool,
                    address=source.address,
                )
                reason = (
                    f"'{path}' came from {_where(finding)}; "
                    "neither you nor the project named that address."
                )
                return self._objection("run", "ask", sink, [finding], reason)
        return self._of_copy(sink, "run", "code")

    def _of_copy(self, sink: Sink, rule: str, kind: str) -> Objection | None:
        """Judge a text that is mostly a copy of what somebody else wrote."""
        if not sink.content or len(parts(sink.content)) < SHORTEST_COPY + 2:
            return None
        share, source = self.session.share(sink.content)
        if source is None or share < COPIED:
            return None
        finding = Finding(
            kind=kind,
            value=_short(sink.content),
            number=source.number,
            tool=source.tool,
            address=source.address,
        )
        reason = f"this {kind} was copied from {_where(finding)}; you did not write it."
        return self._objection(rule, "ask", sink, [finding], reason)

    def _of_obeyed(self, sink: Sink) -> Objection | None:
        findings = [one for value in sink.values if (one := self._finding(value))]
        if findings:
            return self._objection(
                "obey", "ask", sink, findings, _value_reason(findings[0], f"{sink.what}.")
            )
        for line in _statements(sink.content):
            share, source = self.session.share(line)
            if source is not None and share >= COPIED and not self.session.named(line):
                finding = Finding(
                    kind="instruction",
                    value=_short(line),
                    number=source.number,
                    tool=source.tool,
                    address=source.address,
                )
                reason = (
                    f"{sink.what} would make an instruction of a text from {_where(finding)}: "
                    f"'{_short(line)}'."
                )
                return self._objection("obey", "ask", sink, [finding], reason)
        return None

    # Tools of MCP servers and agent frameworks

    def _of_tool(self, sink: Sink) -> Objection | None:
        """Judge a tool by its arguments: what an order named, then whom a stranger named."""
        told = [one for value in sink.values if (one := self._told(value))]
        if told:
            return self._objection(sink.kind, "ask", sink, told, _value_reason(told[0]))
        ordered = self._ordered(sink)
        if ordered is not None:
            return ordered
        if sink.kind not in (SinkKind.SEND, SinkKind.PAY, SinkKind.PERMIT):
            return None
        strangers = [
            one
            for value in sink.values
            if value.is_destination and (one := self._finding(value, pointed=False))
        ]
        return (
            self._objection(sink.kind, "ask", sink, strangers, _value_reason(strangers[0]))
            if strangers
            else None
        )

    def _told(self, value: Value) -> Finding | None:
        """Return where a text from outside tells the agent to use *value*, which nobody else named."""
        if not value.is_destination and not _is_telling(value):
            return None
        if self.session.named(value.text) or self._allowed(value.text):
            return None
        origins = list(self.session.origins(value.text)) or (
            [found] if value.is_destination and (found := self._origin(value)) else []
        )
        told = [one for one in origins if one.told]
        if not told or (not value.is_destination and len(told) < len(origins)):
            return None
        return None if self._named(value) else _found(value, told[0])

    def _ordered(self, sink: Sink) -> Objection | None:
        """Judge the action itself: one that only a text from outside asked for."""
        verbs, asked_words, things = action_of(sink.tool)
        source = next(
            (
                found
                for verb in sorted(verbs)
                if (found := self.session.told_to((verb, *things[-1:])))
            ),
            None,
        )
        if source is None:
            return None
        asked = self.session.asked_for(asked_words)
        unnamed = [one for one in sink.values if _is_main(one) and not self.session.named(one.text)]
        if asked and not unnamed:
            return None
        if asked and not any(self.session.origin(one.text) for one in unnamed):
            return None
        finding = Finding(
            kind="action",
            value=sink.tool,
            number=source.number,
            tool=source.tool,
            address=source.address,
            told=True,
        )
        reason = f"a text in {_where(finding)} asks for this action; you did not."
        if asked:
            reason = (
                f"a text in {_where(finding)} asks for the same action, "
                f"and you did not name '{_short(unnamed[0].text)}'."
            )
        return self._objection(sink.kind, "ask", sink, [finding], reason)

    # Who named a value

    def _finding(self, value: Value, *, pointed: bool = True) -> Finding | None:
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
        origin = self._origin(value)
        if origin is None or (not pointed and origin.source.pointed and not origin.told):
            return None
        return None if self._named(value) else _found(value, origin)

    def named_address(self, address: str) -> bool:
        """Say whether the person or the project named *address*, or the host it is on."""
        return self._named(Value(kind="URL", text=address))

    def _origin(self, value: Value) -> Origin | None:
        for spelled in _identities(value):
            if (origin := self.session.origin(spelled)) is not None:
                return origin
        return None

    def _named(self, value: Value) -> bool:
        if self._allowed(value.text) or self.session.named(value.text):
            return True
        if value.kind in ("URL", "host", "remote", "package index") or "://" in value.text:
            host = host_of(value.text)
            if not is_public(host):
                return is_local(host) or self._host_named(host)
            return any(
                self.session.named(one) or self.project_names(one) for one in _owners(value.text)
            )
        return self.project_names(value.text)

    def _host_named(self, host: str) -> bool:
        site = site_of(host)
        if any(self._allowed(one) or self.session.named(one) for one in (host, site)):
            return True
        return self.project_names(site)

    def _allowed(self, text: str) -> bool:
        return any(fnmatchcase(text.lower(), shape.lower()) for shape in self.settings.allow)

    def _objection(
        self, rule: str, answer: str, sink: Sink, findings: Iterable[Finding], reason: str
    ) -> Objection | None:
        answer = self.settings.sinks.get(rule, answer)
        if answer == "off":
            return None
        return Objection(
            rule=f"provenance.{rule}",
            answer=answer,
            reason=reason,
            what=sink.what,
            findings=tuple(findings),
        )


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


def _is_telling(value: Value) -> bool:
    """Say whether *value* is more than a word that stands in every other sentence.

    Amounts and dates are no addresses, and only a longer text is told apart by its words.
    """
    text, field = value.text.lower(), value.field.lower()
    if text in _COMMON or is_moment(text) or not any(sign.isalnum() for sign in text):
        return False
    if any(word in field for word in _TIMES):
        return False
    if any(word in field for word in (*_CONTENT, *_WHERE)):
        return len(parts(text)) >= SHORTEST_COPY
    return len(text) > 3 or field.endswith("id") or any(sign.isdigit() for sign in text)


_WHERE = ("location", "address", "place", "city", "street", "country")
_CONTENT = (
    "body",
    "content",
    "text",
    "message",
    "description",
    "subject",
    "title",
    "note",
    "comment",
    "summary",
)
_TIMES = (
    "date",
    "time",
    "day",
    "start",
    "end",
    "amount",
    "price",
    "limit",
    "count",
    "duration",
    "recurring",
)


def _is_main(value: Value) -> bool:
    """Say whether *value* says to whom or to what something is done, not when or with which words."""
    field = value.field.lower()
    if value.is_destination:
        return True
    if field.endswith("id") or any(word in field for word in (*_CONTENT, *_TIMES, *_WHERE)):
        return False
    return _is_telling(value) and not value.text.replace(".", "").isdigit()


def _is_documentation(source: Source) -> bool:
    """Say whether imperatives are what one expects of *source*: pages and packages, not messages."""
    return source.tool in ("WebFetch", "WebSearch", "Bash", "Read", "Grep")


def _statements(content: str) -> Iterable[str]:
    """Return the lines of *content* long enough to be an instruction."""
    return [line for line in content.splitlines() if len(parts(line)) >= SHORTEST_COPY][:400]


def _found(value: Value, origin: Origin) -> Finding:
    source = origin.source
    return Finding(
        kind=value.kind,
        value=value.text[:200],
        number=source.number,
        tool=source.tool,
        address=source.address,
        told=origin.told,
    )


def _unknown(number: int) -> Source:
    return Source(number=number, trust=Trust.OUTSIDE, tool="an earlier call")


def _where(finding: Finding) -> str:
    where = f"the result of {finding.tool}" if finding.tool else "an earlier result"
    return f"{where}{f' {finding.address}' if finding.address else ''} (call {finding.number})"


def _value_reason(finding: Finding, more: str = "") -> str:
    told = f"{finding.kind} '{_short(finding.value)}' was first seen in {_where(finding)}"
    return f"{told}; neither you nor the project named it.{f' {more}' if more else ''}"


def _secret_reason(secret: Secret, hosts: list[str]) -> str:
    where = f"{secret.tool} {secret.address}".strip() or "an earlier result"
    to = f" to {', '.join(dict.fromkeys(hosts))}" if hosts else ""
    return f"this would send a secret ({secret.kind}) that was read from {where} (call {secret.number}){to}."


def _short(text: str, most: int = 100) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most]}…"
