"""What a person typed, of a message that stands where a person's words stand.

prompt  ->  the sentences that are the person's own

Agents put much else into the same place: reminders, output of commands, files, summaries, hook
feedback. People paste issues, logs and mails. Only what is left may count as a wish of the person.
Where it is not clear, a passage is quoted: a wish that is missed is typed again, one that was
planted is obeyed for months.
"""

import re

_TAG = re.compile(r"<(?P<tag>[A-Za-z][\w:.-]{0,60})(?:\s[^<>]{0,400})?>")
_FENCE = re.compile(r"^[ \t]*(```+|~~~+).*?(?:^[ \t]*\1[^\n]*$|\Z)", re.MULTILINE | re.DOTALL)
_QUOTED_LINE = re.compile(r"^(?:[ \t]{0,3}>|[ \t]{4,}|\t).*$", re.MULTILINE)
_IN_QUOTES = re.compile(
    r'"[^"\n]{12,}"|“[^”\n]{12,}”|«[^»\n]{12,}»|`[^`\n]{40,}`|'
    r"(?:(?<=\s)|^)'[^'\n]{24,}'(?=[\s.,;:!?]|$)"
)
_INTRODUCED = re.compile(
    r"(?:\b(?:issue|ticket|report|comment|review|e-?mail|mail|message|thread|post|page|article|readme|docs?|"
    r"documentation|file|files|log|logs|output|error|trace(?:back)?|stack ?trace|diff|patch|changelog|spec|"
    r"description|body|text|transcript|summary|notes?|response|result|results|snippet|content|contents|quote|"
    r"paste|pasted|following|below|says?|said|reads?|wrote|writes|states?|here(?:'s| is| are)|got|"
    r"get|see|prints?|"
    r"printed|returned|returns|answered|replied|asks?|asked|posted|reported|attached|copied)\b[^\n]{0,60}|"
    r"(?:#\d+|https?://\S+|[\w./-]+\.\w{1,5})[\w\s()'\"-]{0,30})[:：]\s*$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that introduces something: what follows it was pasted."""
_INTRODUCED_INLINE = re.compile(
    r"\b(?:issue|ticket|report|comment|review|e-?mail|mail|message|page|article|readme|docs?|documentation|"
    r"file|log|logs|output|error|description|body|transcript|summary|response|bot|maintainers?|reporter|author|"
    r"reviewer|colleague|customer|vendor|website|site)\b[^.!?\n:]{0,40}"
    r"(?:\b(?:says?|said|reads?|wrote|writes|states?|asks?|asked|tells?|told|claims?|wants?|suggests?|"
    r"recommends?|is|was)\b[^.!?\n:]{0,20})?:[ \t]*(?=\S)[^\n]*",
    re.IGNORECASE,
)
"""``The issue says: …``: the rest of the line is somebody else's."""
_STRUCTURE = re.compile(
    r"^(?:[ \t]*#{1,6}[ \t]+\S|[ \t]*(?:from|to|cc|subject|date|author|reporter|reported by|assignee|labels?|"
    r"title|url|link|source|status|severity|priority|version|environment|commit|diff --git|index [0-9a-f]{7}|"
    r"steps to reproduce|expected(?: behaviou?r)?|actual(?: behaviou?r)?|description|comment(?: by)?|"
    r"posted by|written by|signed-off-by|co-authored-by)\b[ \t]*[:#]|"
    r"[ \t]*(?:-{3,}|={3,}|\*{3,}|_{3,})[ \t]*(?:\S.*)?$|[ \t]*@?[\w.-]+ (?:commented|opened|wrote|"
    r"said|replied|"
    r"asked|reviewed)\b|on .{5,60} wrote:|[ \t]*\[?\d{4}-\d\d-\d\d[T ]\d\d:\d\d|[ \t]*\d\d:\d\d:\d\d\b|"
    r"[ \t]*(?:Traceback|npm ERR!|error(?:\[\w+\])?:|fatal:|warning:|FAILED\b|\$ |>>> |PS [A-Z]:)|"
    r"[ \t]*(?:Caveat:|This session is being continued|Stop hook feedback|\[Request interrupted|"
    r"Base directory for this skill|Contents of |Human:|Assistant:|User:|System:|AGENTS\.md|CLAUDE\.md)|"
    r"[ \t]*(?:notes?|notice|message|attention|instructions?|important|dear|hello)\b[^\n]{0,30}"
    r"\b(?:agents?|assistants?|ai|llms?|models?|bots?)\b|"
    r"[ \t]*\|.*\|[ \t]*$|[ \t]*\[(?:image|file|attachment|quote|pasted)\b)",
    re.IGNORECASE | re.MULTILINE,
)
"""A line as documents, mails, issues, logs and the agents' own notices have it: from there on it
is pasted.
"""


LONG = 1_200
"""Characters of a prompt beyond which all but its first paragraph is taken as pasted."""


def typed(text: str) -> str:
    """Return the part of *text* that the person typed, as far as that can be told; else nothing."""
    own = _FENCE.sub("\n", _without_tags(text)).lstrip()
    if len(own) > LONG:
        own = own.split("\n\n", 1)[0][:LONG]
    for mark in (_STRUCTURE, _INTRODUCED):
        if found := mark.search(own):
            own = own[: found.start()]
    own = _QUOTED_LINE.sub("", own)
    own = _INTRODUCED_INLINE.sub("", own)
    return _IN_QUOTES.sub(" ", own).strip()


def _without_tags(text: str) -> str:
    """Return *text* without what stands between tags; a tag that is never closed takes all that follows."""
    kept, at = [], 0
    while found := _TAG.search(text, at):
        kept.append(text[at : found.start()])
        closing = re.compile(rf"</{re.escape(found['tag'])}\s*>", re.IGNORECASE)
        ends = [*closing.finditer(text, found.end())]
        # The last one: a text between the tags may hold the closing tag itself, to step out of its quotes.
        at = ends[-1].end() if ends else len(text)
    return "".join([*kept, text[at:]])
