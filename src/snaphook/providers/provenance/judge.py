"""Whether the values at a call's sinks came from where they should.

Sinks + Session  ->  Objection | None

A value that the person or the project named is fine. A value that only a text from outside named is
asked about where it takes effect; a secret that would leave is stopped. Nothing here guesses what a
model meant: it looks up where each value was first seen.
"""

from collections.abc import Callable, Iterable

from msgspec import Struct

from snaphook.canon import Verdict
from snaphook.stores.provenance.entries import Finding, Secret, Source
from snaphook.stores.provenance.parts import parts
from snaphook.stores.provenance.session import Session

from .carried import carried
from .naming import Naming
from .reasons import found, of_source, secret_reason, short, value_reason, where
from .sinks import Sink, SinkKind
from .sites import host_of, is_local, is_public, site_of
from .tools import action_of
from .values import Value
from .weight import SHORTEST_COPY, SHORTEST_ID, is_main, is_telling

COPIED = 0.7
"""Part of a script or an instruction that must stand in one text from outside to count as its copy."""
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

    naming: Naming
    key: bytes
    content_of: Callable[[str], str | None]
    """The text of a file that would be sent."""
    outgoing_of: Callable[[str], str] = lambda _: ""
    """What the commits of a repository add that no remote has yet."""

    @property
    def session(self) -> Session:
        """What the session has read."""
        return self.naming.session

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
        if sink.commits:
            texts = (*texts, *self.outgoing_of(sink.commits).splitlines())
        secret = carried(texts, self.session, self.key)
        if secret is None:
            return None
        hosts = [
            host for value in sink.values if (host := host_of(value.text)) and value.is_destination
        ]
        if hosts and all(self._may_have(secret, host) for host in hosts):
            return None
        return self._objection("secret", "deny", sink, (), secret_reason(secret, hosts))

    def _may_have(self, secret: Secret, host: str) -> bool:
        """Say whether *secret* may go to *host*: named by the person or the project, or its own service."""
        owners = {
            word for word in secret.kind.lower().replace("_", "-").split("-") if len(word) > 3
        }
        if is_local(host) or owners & set(site_of(host).split(".")):
            return True
        return self.naming.host_named(host)

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
        findings = [one for value in sink.values if (one := self.naming.finding(value))]
        if not findings:
            return None
        severe = sink.kind in (SinkKind.SEND, SinkKind.REMOTE) and self.session.has_secrets
        reason = value_reason(findings[0], "The session has also read secrets." if severe else "")
        return self._objection(sink.kind, "deny" if severe else "ask", sink, findings, reason)

    def _of_fetch(self, sink: Sink) -> Objection | None:
        """Judge a download: following a link is fine, unless it was an order or could carry a secret."""
        for value in sink.values:
            origin = self.naming.origin(value)
            if origin is None or is_public(host_of(value.text)) or self.naming.named(value):
                continue
            verbatim = self.session.origin(value.text) is not None
            ordered = origin.told and (
                origin.source.addressed or not _is_documentation(origin.source)
            )
            if ordered or (self.session.has_secrets and not verbatim):
                finding = found(value, origin)
                severe = self.session.has_secrets and not verbatim
                more = (
                    "The session has also read secrets, and the address is more than the text gave."
                    if severe
                    else ""
                )
                reason = value_reason(finding, more)
                return self._objection(
                    "fetch", "deny" if severe else "ask", sink, [finding], reason
                )
        return None

    def _of_run(self, sink: Sink) -> Objection | None:
        for path in sink.paths:
            written = self.session.file(path)
            if written is not None and not written.named:
                source = self.session.source(written.number)
                finding = of_source("script", path, source, number=written.number)
                reason = (
                    f"'{path}' came from {where(finding)}; "
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
        finding = of_source(kind, short(sink.content), source)
        reason = f"this {kind} was copied from {where(finding)}; you did not write it."
        return self._objection(rule, "ask", sink, [finding], reason)

    def _of_obeyed(self, sink: Sink) -> Objection | None:
        findings = [one for value in sink.values if (one := self.naming.finding(value))]
        if findings:
            return self._objection(
                "obey", "ask", sink, findings, value_reason(findings[0], f"{sink.what}.")
            )
        for line in _statements(sink.content):
            share, source = self.session.share(line)
            if source is not None and share >= COPIED and not self.session.named(line):
                finding = of_source("instruction", short(line), source)
                reason = (
                    f"{sink.what} would turn text into an instruction: it came from "
                    f"{where(finding)}: "
                    f"'{short(line)}'."
                )
                return self._objection("obey", "ask", sink, [finding], reason)
        return None

    # Tools of MCP servers and agent frameworks

    def _of_tool(self, sink: Sink) -> Objection | None:
        """Judge a tool by its arguments: what an order named, then whom a stranger named."""
        told = [one for value in sink.values if (one := self._told(value, sink.tool))]
        if told:
            return self._objection(sink.kind, "ask", sink, told, value_reason(told[0]))
        ordered = self._ordered(sink)
        if ordered is not None:
            return ordered
        if sink.kind not in (SinkKind.SEND, SinkKind.PAY, SinkKind.PERMIT):
            return None
        strangers = [
            one
            for value in sink.values
            if value.is_destination and (one := self.naming.finding(value, pointed=False))
        ]
        return (
            self._objection(sink.kind, "ask", sink, strangers, value_reason(strangers[0]))
            if strangers
            else None
        )

    def _told(self, value: Value, tool: str) -> Finding | None:
        """Return where a text from outside tells the agent to use *value*, which nobody else named."""
        if not value.is_destination and not is_telling(value):
            return None
        if self.session.named(value.text) or self.naming.allowed(value.text):
            return None
        origins = list(self.session.origins(value.text)) or (
            [first] if value.is_destination and (first := self.naming.origin(value)) else []
        )
        told = [one for one in origins if one.told]
        if len(value.text) <= SHORTEST_ID and not self._tells_to(tool):
            return None
        if not told or (not value.is_destination and len(told) < len(origins)):
            return None
        return None if self.naming.named(value) else found(value, told[0])

    def _ordered(self, sink: Sink) -> Objection | None:
        """Judge the action itself: one that only a text from outside asked for."""
        source = self._tells_to(sink.tool)
        if source is None:
            return None
        asked = self.session.asked_for(action_of(sink.tool)[1])
        unnamed = [one for one in sink.values if is_main(one) and not self.session.named(one.text)]
        if asked and not unnamed:
            return None
        if asked and not any(self.session.origin(one.text) for one in unnamed):
            return None
        finding = of_source("action", sink.tool, source, told=True)
        reason = f"a text in {where(finding)} asks for this action; you did not."
        if asked:
            reason = (
                f"a text in {where(finding)} asks for the same action, "
                f"and you did not name '{short(unnamed[0].text)}'."
            )
        return self._objection(sink.kind, "ask", sink, [finding], reason)

    def _tells_to(self, tool: str) -> Source | None:
        """Return a text that tells its reader to do what *tool* does."""
        verbs, _, things = action_of(tool)
        told = (self.session.told_to((verb, *things[-1:])) for verb in sorted(verbs))
        return next((source for source in told if source is not None), None)

    def _objection(
        self, rule: str, answer: str, sink: Sink, findings: Iterable[Finding], reason: str
    ) -> Objection | None:
        answer = self.naming.settings.sinks.get(rule, answer)
        if answer == "off":
            return None
        return Objection(
            rule=f"provenance.{rule}",
            answer=answer,
            reason=reason,
            what=sink.what,
            findings=tuple(findings),
        )


def _is_documentation(source: Source) -> bool:
    """Say whether imperatives are what one expects of *source*: pages and packages, not messages."""
    return source.tool in ("WebFetch", "WebSearch", "Bash", "Read", "Grep")


def _statements(content: str) -> Iterable[str]:
    """Return the lines of *content* long enough to be an instruction."""
    return [line for line in content.splitlines() if len(parts(line)) >= SHORTEST_COPY][:400]
