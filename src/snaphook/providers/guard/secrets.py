"""Which files hold secrets.

'/home/me/.ssh/id_rsa'  ->  'a private key'

Told by name alone, from lists that read like the manual. A name with globs counts as every secret
it may match: `.e*` is `.env`.
"""

from __future__ import annotations

import fnmatch
import re
from functools import cache, lru_cache

from snaphook.lazy import regex
from snaphook.shell.text import BRACKET, QUERY, STAR, UNKNOWN, has_glob, plain

_TEMPLATE = regex(
    r"example|sample|template|tmpl|tpl|dist|defaults?|schema|spec|md|txt|d\.ts|ts|js|py|enc|gpg|age"
    r"|sops|vault|j2|erb|keys"
)
_ENV = regex(r"(?:.*[^/])?\.env(?:\.(?P<kind>[\w.-]+))?|\.env\.(?P<other>[\w.-]+)")
_KEY = regex(
    r"id_(?:rsa|dsa|ecdsa|ed25519|xmss)(?:_sk)?(?:[._-](?!pub).*)?|.*_(?:rsa|ed25519|ecdsa)"
    r"|ssh_host_\w+_key|(?:.*[-_.])?private[-_.]?key(?:\..*)?|.*\.(?:ppk|kdbx|p12|pfx|jks|keystore)"
)
_PUBLIC = regex(r"/(?:test|tests|fixtures?|testdata|examples?)/|(?:ca|cert|chain|pub|bundle)[^/]*$")
_NAMES = {
    "credentials.json": "credentials",
    "application_default_credentials.json": "credentials",
    "service-account.json": "credentials",
    "service_account.json": "credentials",
    "service-account-key.json": "credentials",
    "serviceaccountkey.json": "credentials",
    "client_secret.json": "credentials",
    "secrets.yml": "secrets",
    "secrets.yaml": "secrets",
    "secrets.json": "secrets",
    "secrets.toml": "secrets",
    "secrets.env": "secrets",
    "secret.yaml": "secrets",
    "secret.yml": "secrets",
    "master.key": "a key",
    ".netrc": "passwords",
    "_netrc": "passwords",
    ".pgpass": "passwords",
    ".my.cnf": "passwords",
    ".mylogin.cnf": "passwords",
    ".htpasswd": "passwords",
    ".git-credentials": "tokens",
    ".npmrc": "tokens",
    ".pypirc": "tokens",
    ".vault-token": "a token",
    ".s3cfg": "credentials",
    ".boto": "credentials",
    "wallet.dat": "a wallet",
    "secret.txt": "secrets",
    "secrets.txt": "secrets",
    "password.txt": "passwords",
    "passwords.txt": "passwords",
    "key4.db": "passwords",
    "logins.json": "passwords",
    "login data": "passwords",
    "cookies.sqlite": "sessions",
    "credentials.tfrc.json": "tokens",
    "rclone.conf": "credentials",
    "accesstokens.json": "tokens",
}
_PLACES = r"""
    /etc/(?:g?shadow-?|sudoers(?:\.d/.*)?|ssl/private(?:/.*)?|master\.passwd)
    | /proc/[^/]+/(?:environ|mem|maps)
    | .*/\.aws/(?:credentials|sso/cache|cli/cache)(?:/.*|\..*)?
    | .*/\.(?:azure|config/azure)/(?:msal_token_cache.*|accessTokens\.json|.*token.*)
    | .*/(?:\.config/gcloud|gcloud)/(?:.*credentials.*|access_tokens\.db|legacy_credentials.*)
    | .*/\.kube/(?:config|.*\.conf|cache)
    | .*/\.docker/config\.json
    | .*/\.config/(?:gh/hosts\.yml|hub|op/.*|git/credentials|doctl/config\.yaml|rclone/.*)
    | .*/\.config/(?:pypoetry/auth\.toml|glab-cli/config\.yml|containers/auth\.json)
    | /etc/kubernetes/.*\.conf
    | .*/\.(?:cargo|gem)/credentials(?:\.toml)?
    | .*/\.gnupg/(?:private-keys.*|secring.*|.*\.key|trustdb\.gpg)
    | .*/\.password-store(?:/.*)?
    | .*/(?:\.claude/\.credentials\.json|\.codex/auth\.json|\.gemini/oauth_creds\.json)
    | .*/Library/(?:Keychains|Cookies|Messages)(?:/.*)?
    | .*/Library/Safari/.*
    | .*/(?:Google/Chrome|google-chrome|chromium|BraveSoftware|\.mozilla/firefox)
      /.*(?:Cookies|Login\ Data|Local\ State|Web\ Data|key4\.db|logins\.json)
    | .*/\.(?:bash|zsh|psql|mysql|python|node_repl|rediscli)_history
    | .*/var/run/secrets(?:/.*)? | /run/secrets(?:/.*)?
    | .*/\.terraform\.d/credentials.*
    | .*/\.(?:oci|ibmcloud|linode-cli|config/hcloud)/.*(?:config|key).*
    """
_FOLDERS = regex(
    r".*/\.(?:ssh|gnupg|aws|password-store|kube|azure)|.*/Library/Keychains|.*/\.config/(?:gcloud|gh)"
    r"|/etc/ssl/private|.*/\.mozilla/firefox"
)
_LONGEST_PATH = 4096
_NOT_TO_SEND = regex(r"\.key$|/(?:certs?|keys|secrets|private|credentials)(?:/[^/]*)?$")
_TYPICAL = (
    ".env", ".env.local", ".env.production", "id_rsa", "id_ed25519", ".netrc", ".npmrc", ".pypirc",
    ".pgpass", ".git-credentials", "credentials.json", "secrets.yml", "secrets.yaml",
    "secrets.json", ".vault-token",
)  # fmt: skip


@lru_cache(maxsize=1024)
def secret(path: str, *, whole: bool = False, sent: bool = False) -> str | None:
    """Return what kind of secret the file *path* holds, or nothing.

    *whole*: the path is taken with all that is in it, as an archiver does. *sent*: it leaves the
    machine, so that what is fine to read here (a server's key, a folder of certificates) is not.
    """
    if len(path) > _LONGEST_PATH:
        return None
    if sent and _NOT_TO_SEND.search(plain(path)):
        return "keys and credentials"
    if has_glob(path):
        return _by_glob(path)
    path = plain(path)
    name = path.rpartition("/")[2].lower()
    found = _NAMES.get(name)
    if found is not None:
        return found
    if ".env" in name and _is_environment(name):
        return "an environment's secrets"
    if _KEY.fullmatch(name) and not name.endswith(".pub"):
        return "a private key"
    if name.endswith((".pem", ".key")) and _is_key(path, name):
        return "a private key"
    if _places().fullmatch(path):
        return "credentials"
    return "keys and credentials" if whole and _FOLDERS.fullmatch(path) else None


@cache
def _places() -> re.Pattern[str]:
    return re.compile(_PLACES, re.VERBOSE)


def _is_key(path: str, name: str) -> bool:
    """Say whether a .pem or .key is likely private: no certificate, and no fixture of a test."""
    if "/.ssh/" in path:
        return True
    return name.endswith(".pem") and not _PUBLIC.search(path.lower())


def _is_environment(name: str) -> bool:
    found = _ENV.fullmatch(name)
    if found is None or UNKNOWN in name:
        return False
    kind = found["kind"] or found["other"]
    return kind is None or not _TEMPLATE.fullmatch(kind.rpartition(".")[2])


def _by_glob(path: str) -> str | None:
    """Return what a path with globs may match: a typical secret, or what a secret folder holds."""
    folder, _, name = path.rpartition("/")
    shape = _shape(name)
    if _FOLDERS.fullmatch(plain(folder)):
        return "keys and credentials" if not plain(name).endswith(".pub") else None
    if has_glob(name[:1]):
        return None
    if name.startswith(".env") and not _TEMPLATE.search(plain(name)):
        return "an environment's secrets"
    for typical in _TYPICAL:
        if shape.fullmatch(typical):
            return "secrets"
    if plain(path).startswith("/proc/") and name == "environ":
        return "an environment's secrets"
    return None


def _shape(name: str) -> re.Pattern[str]:
    """Return what *name* may match; one that is longer than any name is taken to match all."""
    if len(name) > _LONGEST_NAME:
        return re.compile(".*", re.DOTALL)
    glob = "".join(_GLOBS.get(char, char) for char in name)
    return re.compile(fnmatch.translate(glob))


_LONGEST_NAME = 255
_GLOBS = {STAR: "*", QUERY: "?", UNKNOWN: "?", BRACKET: "[", "*": "[*]", "?": "[?]", "[": "[[]"}
"""Marks as glob characters, and plain characters that must not be taken for one."""
