"""What everything is called, for a collector and for Prometheus alike.

Where OpenTelemetry's conventions for generative AI have a name, it is that; ours begin with
``snaphook``. They are written out here because the conventions' own package is still moving.
"""

from collections.abc import Mapping
from enum import StrEnum

from msgspec import Struct

SCOPE = "snaphook"
EVENT, HOST, VERDICT, PROVIDER, RULE, STATUS = (
    "snaphook.event",
    "snaphook.host",
    "snaphook.verdict",
    "snaphook.provider",
    "snaphook.rule",
    "snaphook.status",
)
REASON, WOULD, RECORD, PROMPT, SOURCE = (
    "snaphook.reason",
    "snaphook.would",
    "snaphook.record",
    "snaphook.prompt",
    "snaphook.session.source",
)
HOOK = "snaphook.hook"
REPO = "vcs.repository.name"
CONVERSATION = "gen_ai.conversation.id"
OPERATION = "gen_ai.operation.name"
AGENT, AGENT_ID = "gen_ai.agent.name", "gen_ai.agent.id"
MODEL = "gen_ai.request.model"
MODEL_PROVIDER = "gen_ai.provider.name"
TOOL, CALL = "gen_ai.tool.name", "gen_ai.tool.call.id"
ARGUMENTS, RESULT = "gen_ai.tool.call.arguments", "gen_ai.tool.call.result"
TOKEN_TYPE = "gen_ai.token.type"  # noqa: S105 - the conventions' own name
INPUT_TOKENS, OUTPUT_TOKENS = "gen_ai.usage.input_tokens", "gen_ai.usage.output_tokens"
ERROR = "error.type"


class MetricKind(StrEnum):
    """How a metric behaves."""

    COUNTER = "counter"
    HISTOGRAM = "histogram"
    GAUGE = "gauge"


class Metric(Struct, frozen=True, kw_only=True):
    """One row of the table of metrics."""

    kind: MetricKind
    unit: str
    """In OpenTelemetry's spelling; in braces it is a note, and no part of Prometheus' name."""
    labels: tuple[str, ...]
    help: str
    bounds: tuple[float, ...] = ()


SECONDS = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1.0, 5.0)
LONG_SECONDS = (0.01, 0.05, 0.1, 0.5, 1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 900.0, 3600.0)
TOKENS = tuple(4.0**power for power in range(14))
_WHO = (REPO, AGENT, MODEL)

METRICS: Mapping[str, Metric] = {
    "snaphook.events": Metric(
        kind=MetricKind.COUNTER,
        unit="{event}",
        labels=(EVENT, HOST),
        help="Events that hosts reported.",
    ),
    "snaphook.decisions": Metric(
        kind=MetricKind.COUNTER,
        unit="{decision}",
        labels=(EVENT, VERDICT, PROVIDER, RULE),
        help="What came of events: the verdict, whose it was, and by which rule.",
    ),
    "snaphook.hook.duration": Metric(
        kind=MetricKind.HISTOGRAM,
        unit="s",
        labels=(EVENT, HOST),
        help="How long deciding took, without the way there and back.",
        bounds=SECONDS,
    ),
    "snaphook.hook.last.time": Metric(
        kind=MetricKind.GAUGE, unit="s", labels=(EVENT, HOST), help="When an event last came."
    ),
    "snaphook.provider.errors": Metric(
        kind=MetricKind.COUNTER, unit="{error}", labels=(PROVIDER,), help="Providers that failed."
    ),
    "snaphook.sandbox.refusals": Metric(
        kind=MetricKind.COUNTER,
        unit="{call}",
        labels=(RULE, HOST, REPO),
        help="Confined calls of which the sandbox refused something, by the rule that refused.",
    ),
    "snaphook.hook.runs": Metric(
        kind=MetricKind.COUNTER,
        unit="{run}",
        labels=(HOOK, STATUS),
        help="Command hooks that ran, and how they ended.",
    ),
    "snaphook.hook.run.duration": Metric(
        kind=MetricKind.HISTOGRAM,
        unit="s",
        labels=(HOOK,),
        help="How long a command hook took.",
        bounds=LONG_SECONDS,
    ),
    "snaphook.sessions": Metric(
        kind=MetricKind.COUNTER, unit="{session}", labels=(REPO, HOST), help="Sessions that began."
    ),
    "snaphook.spawns": Metric(
        kind=MetricKind.COUNTER,
        unit="{agent}",
        labels=(*_WHO, STATUS),
        help="Subagents that were to start, and whether they might.",
    ),
    "snaphook.completions": Metric(
        kind=MetricKind.COUNTER,
        unit="{agent}",
        labels=(*_WHO, STATUS),
        help="Agents and subagents that finished, and how.",
    ),
    "snaphook.completion.duration": Metric(
        kind=MetricKind.HISTOGRAM,
        unit="s",
        labels=(*_WHO, STATUS),
        help="How long agents and subagents worked.",
        bounds=LONG_SECONDS,
    ),
    "snaphook.completion.tokens": Metric(
        kind=MetricKind.HISTOGRAM,
        unit="{token}",
        labels=(*_WHO, STATUS),
        help="Tokens that agents and subagents used, as their host counts them at the end.",
        bounds=TOKENS,
    ),
    "snaphook.tool.calls": Metric(
        kind=MetricKind.COUNTER,
        unit="{call}",
        labels=(*_WHO, TOOL, STATUS),
        help="Tool calls: ok, failed, or stopped before they ran.",
    ),
    "snaphook.tool.duration": Metric(
        kind=MetricKind.HISTOGRAM,
        unit="s",
        labels=(TOOL, STATUS),
        help="How long tools ran.",
        bounds=LONG_SECONDS,
    ),
    "gen_ai.client.token.usage": Metric(
        kind=MetricKind.HISTOGRAM,
        unit="{token}",
        labels=(*_WHO, MODEL_PROVIDER, OPERATION, TOKEN_TYPE),
        help="Tokens of each answer of a model; the sum is what was used.",
        bounds=TOKENS,
    ),
    "snaphook.cost.usd": Metric(
        kind=MetricKind.COUNTER,
        unit="{USD}",
        labels=_WHO,
        help="What that cost at list prices, in US dollars.",
    ),
    "snaphook.telemetry.dropped": Metric(
        kind=MetricKind.COUNTER,
        unit="{item}",
        labels=("snaphook.signal",),
        help="What telemetry itself had to drop, or counted under another name.",
    ),
}
"""Every metric there is. A company with many agents has many names: see ``measures`` for the caps."""


def prometheus_name(name: str) -> str:
    """Return how Prometheus spells the metric *name*, as a collector would translate it."""
    metric = METRICS[name]
    plain = name.replace(".", "_")
    if metric.unit == "s":
        plain += "_seconds"
    return f"{plain}_total" if metric.kind is MetricKind.COUNTER else plain


_PROVIDERS: Mapping[str, str] = {
    "claude": "anthropic",
    "gpt": "openai",
    "chatgpt": "openai",
    "codex": "openai",
    "o1": "openai",
    "o3": "openai",
    "o4": "openai",
    "gemini": "gcp.gemini",
    "gemma": "gcp.gemini",
    "mistral": "mistral_ai",
    "codestral": "mistral_ai",
    "devstral": "mistral_ai",
    "deepseek": "deepseek",
    "grok": "x_ai",
    "command": "cohere",
    "sonar": "perplexity",
    "qwen": "alibaba_cloud",
    "kimi": "moonshot_ai",
}
_OF_HOST: Mapping[str, str] = {
    "claude-code": "anthropic",
    "codex": "openai",
    "gemini-cli": "gcp.gemini",
    "qwen-code": "alibaba_cloud",
}


def provider_name(model: str, host: str = "") -> str:
    """Return the vendor of *model* as the conventions spell it, or that of the *host*'s own models.

    The attribute is required by the conventions; where nobody knows, it is ``unknown``.
    """
    plain = model.rpartition("/")[2].rpartition(":")[2].lower()
    family = plain.replace("-", " ").split(" ")[0] if plain else ""
    return _PROVIDERS.get(family) or _OF_HOST.get(host, "unknown")
