"""Findings as SARIF 2.1.0, which code hosts and editors show beside the line.

Report  ->  a SARIF document

https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.scanning.scan import Finding, Report

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {GuardAnswer.DENY: "error", GuardAnswer.ASK: "warning", GuardAnswer.WARN: "note"}


def as_sarif(report: Report, version: str) -> dict[str, Any]:
    """Return *report* as a SARIF log with one run."""
    rules = sorted({one.rule: one for one in report.findings}.items())
    places = {rule: at for at, (rule, _) in enumerate(rules)}
    driver = {
        "name": "Snaphook",
        "version": version,
        "rules": [_rule(rule, one) for rule, one in rules],
    }
    notes = [
        {"level": "warning", "message": {"text": f"{path}: {why}."}} for path, why in report.unread
    ]
    run: dict[str, Any] = {
        "tool": {"driver": driver},
        "columnKind": "utf16CodeUnits",
        "results": [_result(one, places) for one in report.findings],
        "invocations": [{"executionSuccessful": True, "toolExecutionNotifications": notes}],
    }
    return {"$schema": SCHEMA, "version": "2.1.0", "runs": [run]}


def _rule(rule: str, example: Finding) -> dict[str, Any]:
    return {
        "id": rule,
        "shortDescription": {"text": f"{rule}: {example.why}"},
        "help": {"text": example.instead or f"snaphook guard show {rule}"},
        "defaultConfiguration": {"level": _LEVELS.get(example.answer, "note")},
    }


def _result(one: Finding, places: dict[str, int]) -> dict[str, Any]:
    # The line may move: a finding is the same as long as its file, rule and text are.
    print_of = sha256("\0".join((one.path, one.rule, one.what)).encode()).hexdigest()
    where = {
        "artifactLocation": {"uri": one.path.replace("\\", "/"), "uriBaseId": "%SRCROOT%"},
        "region": {"startLine": one.line},
    }
    return {
        "ruleId": one.rule,
        "ruleIndex": places[one.rule],
        "level": _LEVELS.get(one.answer, "note"),
        "message": {"text": f"{one.what}: {one.why}. {one.instead}".strip()},
        "locations": [{"physicalLocation": where}],
        "partialFingerprints": {"snaphook/v1": print_of},
    }
