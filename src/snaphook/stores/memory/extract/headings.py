"""Headings that tell what a statement is about.

``Run 12 > Storage backend`` + "SQLite in WAL mode."  ->  "Storage backend: SQLite in WAL mode."

A statement is found by what it says; under a heading it often does not say what it is about. Headings
that stand in every document ("Summary", "Step 2", "TASK-7") add nothing and are passed over.
"""

import re

from snaphook.stores.memory.words import terms

_GENERIC_TEXT = """
    acceptance action actions additional alternatives analysis approach assumption assumptions background body
    changes check checklist code commands completed completion conclusion confidence consequences considered
    context criteria current date decision decisions deliverables description details did discovered discovery
    documentation done evidence execution experience experiences fact facts files final finding findings first
    follow general goal goals happened history implementation important information initial insight insights
    introduction issue issues iteration key learned learning learnings lesson lessons log loop made main
    metadata metrics mind misc modified moment new next notes objective observation observations opinion
    opinions options other outcome output overall overview part phase plan planning point points problem
    problems process progress purpose question questions rationale reason reasoning recommendation
    recommendations references remaining report result results review run runs scope second section session
    setup skill solution state status step steps strategy success summary task tasks technical template test
    testing tests things think thinking thought thoughts time timeline todo tools update updates usage used
    validation verification went well work worked
"""
_GENERIC = frozenset(terms(_GENERIC_TEXT))
_LABEL = re.compile(
    r"^(?:(?:step|phase|part|run|loop|task|iteration|day|section)\s*)?[\d.#:)(–—-]+\s*|"
    r"\b[A-Z]{2,}(?:-[A-Z0-9]+)*-\d+\b:?|\brun-\d[\w-]*|\d{4}-\d\d-\d\d\S*",
    re.IGNORECASE,
)
_DOCUMENT = re.compile(
    r"^(?:thoughts|results|decisions|learnings|assumptions)(?:\.md)?\s*[:–—-]+\s*|"
    r"\s*[:–—-]+\s*(?:thoughts|results|decisions|learnings|assumptions)(?:\.md)?$",
    re.IGNORECASE,
)
"""The document's own name, in its title."""
LONGEST = 60
"""Characters of a heading that names something; a longer one is a sentence of its own."""


def topic(section: str) -> str:
    """Return the innermost of the headings in *section* that names something; else nothing."""
    for heading in reversed(section.split(" > ")):
        named = _LABEL.sub("", _DOCUMENT.sub("", heading)).strip(" :.–—-*_`")
        if 3 <= len(named) <= LONGEST and set(terms(named)) - _GENERIC:
            return named
    return ""


def about(text: str, section: str) -> str:
    """Return *text* with its topic before it, unless it names the topic itself."""
    named = topic(section)
    if not named or set(terms(named)) - _GENERIC <= set(terms(text)):
        return text
    return f"{named}: {text}"
