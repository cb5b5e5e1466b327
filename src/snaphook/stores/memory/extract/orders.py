"""Sentences that tell a reader what to do, and the words in them that somebody could act on.

text  ->  is it an order?  what does it name?

Pure. A note says how something is; an order says what to do. What was not typed by the person may be
remembered as a note, never as an order: recalled, it would be an instruction without an author.
"""

import re

_ORDER = re.compile(
    r"\b(?:always|never|must|shall|should|ought to|need(?:s|ed)? to|ha(?:s|ve) to|requires?|"
    r"required|mandatory|"
    r"make sure|be sure|ensure|remember to|don'?t|do not|cannot|can'?t|only works?|from now on|going forward|"
    r"in (?:the )?future|every time|whenever|before (?:you|any|each|every|doing|running|starting|committing|"
    r"merging|deploying)|instead of asking|without asking|no need to|feel free|please|you|your|"
    r"agents?|assistants?|"
    r"ai|llm|policy|polic(?:y|ies)|convention|instructions?|rules? (?:is|are|say)|it is safe to|safe to|"
    r"is allowed|are allowed|permitted|approved|authori[sz]ed|pre-?approved|trusted|recommended|"
    r"(?:the|all) (?:team|maintainers?|developers?|engineers?|owners?|users?) (?:\w+ )?(?:wants?|"
    r"asks?|prefers?|"
    r"decided|agreed|expects?|uses?|runs?))\b",
    re.IGNORECASE,
)
_IMPERATIVE = re.compile(
    r"(?:^|[:;,–—→-]\s+|\bthen\s+|\band\s+|\bto\s+)(?:first\s+|now\s+|also\s+|just\s+|simply\s+|next\s+)?"
    r"(?:add|allow|append|apply|approve|call|change|clone|commit|configure|copy|create|curl|delete|deploy|disable|"
    r"download|drop|email|enable|erase|execute|export|fetch|forward|give|grant|ignore|include|insert|install|"
    r"invoke|load|mail|merge|move|open|pass|paste|pipe|post|prefer|publish|pull|push|put|read|remove|rename|"
    r"replace|reset|run|save|send|set|share|show|skip|source|start|stop|store|submit|switch|trust|turn|unset|"
    r"update|upload|use|visit|wget|write)\b",
    re.IGNORECASE,
)
_NAMED = re.compile(
    r"\b[a-z][a-z0-9+.-]*://[^\s`'\")>]+|\b[\w.+-]+@[\w-]+\.[\w.-]+|"
    r"\b(?:[a-z0-9-]+\.)+(?:com|org|net|io|dev|sh|example|test|invalid|xyz|ru|cn|app|cloud|info|me|co|ai|site|top)\b|"
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b",
    re.IGNORECASE,
)
_RUNS = re.compile(
    r"\|\s*(?:sudo\s+)?(?:ba|z|da|k)?sh\b|\b(?:curl|wget|nc|ncat|base64 -d|eval|chmod|chown|sudo|"
    r"rm -|dd if=)|"
    r"--no-verify|--force\b|--insecure|--privileged|--dangerously|--yolo|--no-sandbox|-k\s+http|"
    r"\b(?:disable|skip|bypass|turn off|switch off|ignore)\w*\b.{0,40}\b(?:check|test|hook|guard|"
    r"sandbox|verif|"
    r"sign|lint|scan|review|approval|security|auth|tls|ssl|cert)",
    re.IGNORECASE,
)


def is_order(text: str) -> bool:
    """Say whether *text* tells its reader what to do, or what is allowed."""
    return bool(_ORDER.search(text) or _IMPERATIVE.search(text))


def is_risky(text: str) -> bool:
    """Say whether following *text* would reach another machine, or lower a guard."""
    return bool(_NAMED.search(text) or _RUNS.search(text))
