"""What a Node, Ruby, Perl or PHP text prints or sends of the environment and of the files it reads.

'fetch(u, {body: JSON.stringify(process.env)})'  ->  sends the environment

Told from the text of a short program: where it asks a server for something, every file that it reads
may be what it sends. A script on disk is longer than that, and does many things.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from snaphook.shell.facts import Act, Call, Code, Effect
from snaphook.shell.languages.common import on_path

_ENVIRONMENT = "/proc/self/environ"
_WHOLE = {
    "node": re.compile(
        r"process\.env(?![\w.\[?])|Deno\.env\.toObject|Bun\.env(?![\w.\[])|dotenv\W{1,3}\)?\.(?:config\([^)]*\)\.parsed|parse\()"
    ),
    "ruby": re.compile(r"\bENV(?:\.(?:to_h|to_a|inspect|to_s|map|each\w*|sort)|(?![\w.\[]))"),
    "perl": re.compile(r"%ENV\b|(?:keys|values)\s+%ENV"),
    "php": re.compile(r"\$_(?:ENV|SERVER)(?!\s*\[)|getenv\(\s*\)|phpinfo\("),
}
LEAKING = frozenset(_WHOLE)
"""Languages whose texts are searched for it."""
_KEY = re.compile(
    r"(?:process\.env[.\[]['\"]?|ENV\[['\"]|ENV\.fetch\(['\"]|\$ENV\{['\"]?|getenv\(['\"]|\$_ENV\[['\"])"
    r"(\w*(?:KEY|TOKEN|SECRET|PASSW|CREDENTIAL)\w*)"
)
_PRINTS = re.compile(
    r"(?:console\.(?:log|dir|table|error)|print|puts|pp?|say|echo|var_dump|print_r|var_export|stdout\.write)"
    r"[\s(]*(?:JSON\.stringify\(|Object\.entries\(|Object\.values\(|json_encode\(|\w+\.inspect\()?\s*$"
)
_ASKS = re.compile(
    r"fetch\(|axios|https?\.(?:request|get)\(|['\"](?:node:)?https?['\"]\)|got\(|sendBeacon|XMLHttpRequest"
    r"|dns(?:\.promises)?\.(?:lookup|resolve)|net\.(?:connect|createConnection)|dgram"
    r"|Net::HTTP|open-uri|URI\.open|HTTParty|Faraday|RestClient|TCPSocket|UDPSocket|Resolv"
    r"|LWP|HTTP::Tiny|IO::Socket|gethostbyname|curl_(?:init|exec)|fsockopen|stream_context_create"
    r"|(?:file_get_contents|fopen|file)\(\s*['\"]https?:|gethostbyname|dns_get_record|mail\("
)
_ADDRESS = re.compile(r"https?://[^\s'\"`)\\]+")
_IN_HEADER = re.compile(
    r"(?:Authorization|api-key|apiKey|Bearer|token|headers)\W{0,40}$", re.IGNORECASE
)


def leaked(language: str, code: Code, call: Call, read: Sequence[str]) -> Iterator[Effect]:
    """Return what the text prints of the environment, and what it sends to another machine."""
    text = code.text
    found = _WHOLE[language].search(text)
    named = [found] if found is not None else []
    if any(_is_printed(text, one.start()) for one in (*named, *_KEY.finditer(text))):
        yield on_path(Act.READ, _ENVIRONMENT, code, call)
    if call.stored or not _ASKS.search(text):
        return
    address = _ADDRESS.search(text)
    detail = address[0] if address else "another machine"
    sent = list(read)
    if found is not None or any(_is_sent(text, key, detail) for key in _KEY.finditer(text)):
        sent.append(_ENVIRONMENT)
    for path in sent:
        yield replace(on_path(Act.SEND, path, code, call), detail=detail)


def _is_printed(text: str, at: int) -> bool:
    return _PRINTS.search(text, max(0, at - 60), at) is not None


def _is_sent(text: str, key: re.Match[str], address: str) -> bool:
    """Say whether a key is more than what says who asks, and not for the service it is named after."""
    if _IN_HEADER.search(text, max(0, key.start() - 60), key.start()):
        return False
    host = address.lower().partition("://")[2].partition("/")[0]
    return not any(word in host for word in key[1].lower().split("_") if len(word) > 3)
