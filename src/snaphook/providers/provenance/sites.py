"""Hosts: which belong together, which are this machine, and which everybody uses.

URL or host  ->  host  ->  site (the part that one owner registers)
"""

import re
from urllib.parse import urlsplit

_HOST = re.compile(r"(?:[^@/\s]*@)?(\[[0-9a-fA-F:]+\]|[^:/?#\s]+)")
_SHARED_TEXT = """
    amazonaws.com appspot.com azurewebsites.net blob.core.windows.net blogspot.com
    cloudfront.net cloudfunctions.net codeberg.page deno.dev firebaseapp.com fly.dev github.io
    gitlab.io glitch.me googleapis.com herokuapp.com hf.space netlify.app ngrok-free.app
    ngrok.app ngrok.io notion.site oast.fun onrender.com pages.dev pipedream.net
    pythonanywhere.com railway.app readthedocs.io replit.app repl.co requestcatcher.com run.app
    r2.dev serveo.net surge.sh trycloudflare.com vercel.app web.app webhook.site wordpress.com
    workers.dev wpengine.com 000webhostapp.com githubusercontent.com gitbook.io substack.com
    myshopify.com azureedge.net
"""
_SHARED = frozenset(_SHARED_TEXT.split())
"""Suffixes below which anybody can have a name: the label before them belongs to the owner too."""
_SECOND_LEVEL_TEXT = """
    co com net org gov ac edu gob go or ne gen ltd plc me sch nhs mil
"""
_SECOND_LEVEL = frozenset(_SECOND_LEVEL_TEXT.split())
_LOCAL = re.compile(
    r"localhost|.*\.localhost|.*\.(?:local|internal|test|lan|home)|127\.\d+\.\d+\.\d+|0\.0\.0\.0|\[?::1\]?|"
    r"10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+|172\.(?:1[6-9]|2\d|3[01])\.\d+\.\d+|host\.docker\.internal"
)
_PUBLIC_TEXT = """
    github.com api.github.com raw.githubusercontent.com codeload.github.com
    objects.githubusercontent.com gitlab.com bitbucket.org codeberg.org sr.ht pypi.org
    files.pythonhosted.org npmjs.com www.npmjs.com registry.npmjs.org crates.io docs.rs
    static.crates.io rubygems.org packagist.org pkg.go.dev proxy.golang.org hub.docker.com
    docker.io ghcr.io quay.io stackoverflow.com developer.mozilla.org docs.python.org nodejs.org
    www.python.org python.org rust-lang.org doc.rust-lang.org golang.org go.dev en.wikipedia.org
    wikipedia.org registry.yarnpkg.com deb.debian.org archive.ubuntu.com
"""
_PUBLIC = frozenset(_PUBLIC_TEXT.split())
"""Hosts that serve everybody's code and documentation: reading from them says nothing about who asked."""


def host_of(address: str) -> str:
    """Return the host of a URL, of ``user@host:path``, or of a bare name; lower case."""
    if "://" in address:
        try:
            return (urlsplit(address).hostname or "").lower()
        except ValueError:
            address = address.partition("://")[2]
    found = _HOST.match(address.strip())
    return found[1].lower().strip("[]") if found else ""


def site_of(host: str) -> str:
    """Return the part of *host* that one owner registers."""
    labels = host.strip(".").split(".")
    if len(labels) < 3 or host.replace(".", "").isdigit():
        return host
    for keep in (2, 3):
        if ".".join(labels[-keep:]) in _SHARED:
            return ".".join(labels[-keep - 1 :])
    if labels[-2] in _SECOND_LEVEL and len(labels[-1]) == 2:
        return ".".join(labels[-3:])
    return ".".join(labels[-2:])


def is_local(host: str) -> bool:
    """Say whether *host* is this machine or its own network."""
    return not host or _LOCAL.fullmatch(host) is not None


def is_public(host: str) -> bool:
    """Say whether everybody reads from *host*."""
    return host in _PUBLIC or site_of(host) in _PUBLIC
