"""Whose key a variable holds, and whether an address is theirs.

OPENAI_API_KEY + https://api.openai.com  ->  theirs
"""

from __future__ import annotations

import re

from snaphook.shell.evaluation.secret_flow import names_secret
from snaphook.shell.facts import Effect
from snaphook.shell.text import UNKNOWN

_SERVICES = {
    "github": ("github", "ghcr", "azure"),
    "gitlab": ("gitlab",),
    "openai": ("openai", "azure", "openrouter", "litellm"),
    "anthropic": ("anthropic", "claude", "openrouter", "litellm"),
    "aws": ("amazonaws", "aws"),
    "stripe": ("stripe",),
    "slack": ("slack",),
    "npm": ("npm",),
    "pypi": ("pypi",),
    "cloudflare": ("cloudflare",),
    "sendgrid": ("sendgrid",),
    "twilio": ("twilio",),
    "huggingface": ("huggingface", "hf.co"),
    "vercel": ("vercel",),
    "heroku": ("heroku",),
    "digitalocean": ("digitalocean",),
}
"""Services whose keys go to their own hosts, or to those that stand in for them."""


def is_anothers(effect: Effect, typed: str) -> bool:
    """Say whether a well-known service's key goes to a host that is not that service's."""
    host = host_of(effect)
    if not host or UNKNOWN in host or "." not in host:
        return False
    for name in re.findall(r"\$\{?(\w+)", typed):
        hosts = _SERVICES.get(name.lower().partition("_")[0])
        if hosts and names_secret(name) and not any(one in host for one in hosts):
            return not _is_own(host)
    return False


def _is_own(host: str) -> bool:
    """Say whether a host is in one's own network, where a proxy may stand."""
    return host.partition(":")[0].endswith((".local", ".internal", ".lan", ".test", ".corp"))


def is_theirs(effect: Effect, typed: str) -> bool:
    """Say whether the address is the service that the variable is named after: `$GITHUB_TOKEN`."""
    names = re.findall(r"\$\{?([a-z0-9_]+)", typed.lower())
    host = effect.detail.lower().partition("://")[2].partition("/")[0]
    words = {word for name in names for word in name.split("_") if len(word) > 2}
    return any(word in host for word in words - {"api", "key", "token", "secret", "url", "the"})


def host_of(effect: Effect) -> str:
    """Return the host that *effect* reaches, in small letters."""
    return effect.detail.lower().partition("://")[2].partition("/")[0]
