"""Why a call should not simply run, in words.

Finding  ->  sentence
"""

from snaphook.stores.provenance.entries import Finding, Secret, Source
from snaphook.stores.provenance.session import Origin

from .values import Value


def found(value: Value, origin: Origin) -> Finding:
    """Return the finding that *value* has this *origin*."""
    source = origin.source
    return Finding(
        kind=value.kind,
        value=value.text[:200],
        number=source.number,
        tool=source.tool,
        address=source.address,
        told=origin.told,
    )


def of_source(
    kind: str, value: str, source: Source | None, *, number: int = 0, told: bool = False
) -> Finding:
    """Return the finding that *value* came from *source*, or from call *number* where that is all we know."""
    if source is None:
        return Finding(kind=kind, value=value[:200], number=number, tool="an earlier call")
    return Finding(
        kind=kind,
        value=value[:200],
        number=source.number,
        tool=source.tool,
        address=source.address,
        told=told,
    )


def where(finding: Finding) -> str:
    """Return where a finding was read: tool, address and call."""
    where = f"the result of {finding.tool}" if finding.tool else "an earlier result"
    return f"{where}{f' {finding.address}' if finding.address else ''} (call {finding.number})"


def value_reason(finding: Finding, more: str = "") -> str:
    """Return why a value is asked about."""
    told = f"{finding.kind} '{short(finding.value)}' was first seen in {where(finding)}"
    return f"{told}; neither you nor the project named it.{f' {more}' if more else ''}"


def secret_reason(secret: Secret, hosts: list[str]) -> str:
    """Return what would be sent, and where it was read."""
    where = f"{secret.tool} {secret.address}".strip() or "an earlier result"
    to = f" to {', '.join(dict.fromkeys(hosts))}" if hosts else ""
    return f"this would send a secret ({secret.kind}) that was read from {where} (call {secret.number}){to}."


def short(text: str, most: int = 100) -> str:
    """Return *text* on one line, not too long."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else f"{flat[:most]}…"
