"""The package registries that builds on this machine use.

settings + variables and files of package managers  ->  hosts

The public ones, and whichever a company has set in their place.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from .settings import SandboxSettings

if TYPE_CHECKING:
    from .build import Scope

_PUBLIC_TEXT = """
    pypi.org files.pythonhosted.org registry.npmjs.org registry.yarnpkg.com crates.io index.crates.io
    static.crates.io proxy.golang.org sum.golang.org repo.maven.apache.org repo1.maven.org
    plugins.gradle.org services.gradle.org rubygems.org index.rubygems.org api.nuget.org www.nuget.org
    repo.packagist.org packagist.org hex.pm repo.hex.pm builds.hex.pm pub.dev hackage.haskell.org
    conda.anaconda.org repo.anaconda.com jsr.io npm.jsr.io deno.land static.rust-lang.org go.dev
    nodejs.org deb.debian.org security.debian.org archive.ubuntu.com security.ubuntu.com
    dl-cdn.alpinelinux.org
"""
PUBLIC = tuple(_PUBLIC_TEXT.split())
"""Hosts that serve packages to anybody and take none without a login, which a confined command lacks."""
_VARIABLES = (
    "PIP_INDEX_URL", "PIP_EXTRA_INDEX_URL", "UV_INDEX_URL", "UV_DEFAULT_INDEX", "UV_EXTRA_INDEX_URL",
    "UV_INDEX", "npm_config_registry", "NPM_CONFIG_REGISTRY", "YARN_NPM_REGISTRY_SERVER",
    "YARN_REGISTRY", "GOPROXY", "GOSUMDB", "CARGO_REGISTRIES_CRATES_IO_INDEX", "BUNDLE_MIRROR__ALL",
    "NUGET_SOURCE", "COMPOSER_REPO_PACKAGIST", "RUSTUP_DIST_SERVER",
)  # fmt: skip
_FILES = (
    "{home}/.npmrc", "{home}/.yarnrc.yml", "/etc/pip.conf",
    "{home}/.config/pip/pip.conf", "{home}/.pip/pip.conf", "{home}/.config/uv/uv.toml",
    "{home}/.cargo/config.toml", "{home}/.m2/settings.xml", "{home}/.gemrc", "{home}/.condarc",
)  # fmt: skip
"""Settings of package managers. None in a project: an agent that writes there would choose its own hosts."""
_URL = re.compile(r"(?:sparse\+)?(https?://[^\s\"'<>,|]+)")
_SETTING = re.compile(r"(?im)^.*(?:registry|index|url|mirror|replace-with|channel|source).*$")
_LONGEST = 65_536


def allowed_hosts(settings: SandboxSettings, scope: "Scope") -> tuple[str, ...]:
    """Return every host that an allowlist lets through, none twice."""
    own = _configured(scope) if settings.allow_registries else ()
    public = PUBLIC if settings.allow_registries else ()
    return tuple(dict.fromkeys((*settings.allow_hosts, *public, *own)))


def _configured(scope: "Scope") -> Iterator[str]:
    for variable in _VARIABLES:
        yield from _hosts(scope.env.get(variable, ""))
    for file in _FILES:
        text = _text(file.format(home=scope.home))
        yield from _hosts("\n".join(_SETTING.findall(text)))


def _hosts(text: str) -> Iterator[str]:
    for found in _URL.findall(text):
        try:
            url = urlsplit(found)
            port = url.port
        except ValueError:
            continue
        if url.hostname and "*" not in url.hostname:
            yield f"{url.hostname}:{port}" if port else url.hostname


def _text(path: str) -> str:
    try:
        with open(path, encoding="utf-8", errors="replace") as file:  # noqa: PTH123
            return file.read(_LONGEST)
    except OSError:
        return ""
