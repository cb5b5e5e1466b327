"""What is written: YAML that can be read again, tasks in the agreed form."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span
from snaphook.shell.text import UNKNOWN, plain

_TEMPLATED = ("{{", "{%", "<%", "${{")
_TASK = re.compile(r"/tasks/(?:active|queued|backlog)/[^/]+/task\.md$")
_FIELDS = ("task_id", "title", "status", "priority", "created")
_SECTIONS = (r"## Objective", r"## (?:Success|Acceptance) Criteria", r"- \[[ x]\] ")


def breaks_yaml(effect: Effect, scene: RuleContext) -> Span | None:
    r"""Point at a YAML file whose new text could not be read back.

    Syntax only: unknown tags are fine, and so are templates that become YAML later.

    Blocks: printf 'a: [1,\n' > config.yaml
    Allows: printf 'a: [1]\n' > config.yaml
    Allows: printf 'image: {{ .Values.image }}\n' > templates/web.yaml
    """
    if not effect.path.endswith((".yaml", ".yml")):
        return None
    text = scene.files.get(effect.path, "")
    if not text or UNKNOWN in text or any(mark in text for mark in _TEMPLATED):
        return None
    return None if _is_yaml(plain(text)) else effect.span


def _is_yaml(text: str) -> bool:
    import yaml

    if _DEEP_LIST.search(text) or _depth(text) > _DEEPEST:
        return False  # nobody writes this, and reading it takes for ever
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    try:
        for _ in yaml.parse(text, Loader=loader):
            pass
    except (yaml.YAMLError, UnicodeError):
        return False
    return True


def _depth(text: str) -> int:
    """Return how deep the brackets of *text* go."""
    depth = deepest = 0
    for char in re.findall(r"[\[\]{}]", text):
        depth += 1 if char in "[{" else -1
        deepest = max(deepest, depth)
    return deepest


_DEEPEST = 60
_DEEP_LIST = re.compile(r"(?:[-?:] ){60}")


def misshapes_task(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a task written without the fields and sections that executors rely on.

    Blocks: echo 'do it' > tasks/active/T-1/task.md
    Allows: echo 'do it' > notes/task.md
    """
    text = scene.files.get(effect.path, "")
    if not text or UNKNOWN in text or not _TASK.search(effect.path):
        return None
    head = text.split("---")[1] if text.startswith("---") and text.count("---") > 1 else ""
    missing = [name for name in _FIELDS if not re.search(rf"^{name}:", head, re.MULTILINE)]
    missing += [shape for shape in _SECTIONS if not re.search(shape, text)]
    return effect.span if missing else None


RULES = (
    Rule(
        id="contents.yaml",
        answer=GuardAnswer.DENY,
        says="writes invalid YAML",
        why="the file cannot be loaded afterwards",
        instead="Fix the syntax: quotes, indentation, open brackets.",
        acts=(Act.WRITE, Act.OVERWRITE),
        objects_to=breaks_yaml,
    ),
    Rule(
        id="contents.task",
        answer=GuardAnswer.DENY,
        says="writes a task file in the wrong format",
        why="executors rely on this format to find objective and criteria",
        instead="Begin with frontmatter (task_id, title, status, priority, created), then "
        "'## Objective' and '## Acceptance Criteria' with '- [ ]' items.",
        acts=(Act.WRITE, Act.OVERWRITE),
        objects_to=misshapes_task,
        optional=True,
        pack="bb5",
    ),
)
