"""Requests over HTTP that ask a service to delete something."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Arg, Call, Span

_CURLS = ("curl", "curlie", "wget", "wget2")
_METHODS = ("http", "https", "xh", "xhs", "httpie")
_HOST = re.compile(r"^(?:\w+://)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]*)(?::(\d+))?([^\s]*)")
_OWN = frozenset({"", "localhost", "127.0.0.1", "0.0.0.0", "[::1]", "host.docker.internal"})  # noqa: S104
_ADMIN_PORTS_TEXT = """
    2375 2379 5984 6333 7700 8001 8086 8108 8500 8983 9090 9093 9200 15672 19530
"""
_ADMIN_PORTS = frozenset(_ADMIN_PORTS_TEXT.split())
"""Where databases, search engines and gateways listen: a request there is a statement."""
_DELETES = re.compile(
    r"_delete_by_query|/_close\b|/doDelete\b|/delete-batch\b|/delete_series\b|/_cluster/settings"
    r"|/admin/tsdb/|/(?:delete|destroy|purge|wipe|flush|truncate|remove)(?:[/?]|$)",
    re.IGNORECASE,
)
_MUTATION = re.compile(
    r"mutation\b[^{]*\{\s*(?:delete|remove|destroy|purge|drop)\w*", re.IGNORECASE
)


def deletes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a request that deletes on a service; one's own development server is spared.

    Asks: curl -X DELETE https://api.example.com/v1/users/1
    Asks: curl -XDELETE 'http://localhost:9200/_all'
    Asks: curl -X POST http://localhost:9200/logs/_delete_by_query -d '{}'
    Asks: http DELETE https://api.example.com/v1/users/1
    Asks: curl https://api.example.com/graphql -d '{"query":"mutation { deleteUser(id: 1) }"}'
    Allows: curl -X DELETE http://localhost:8000/api/items/1
    Allows: curl -X GET https://api.example.com/v1/users/1
    Allows: curl -X POST https://api.example.com/v1/users -d '{"name":"delete me"}'
    Allows: http GET https://api.example.com/deleted
    """
    if only_asks(call):
        return None
    method, addresses = _request(call)
    for address in addresses:
        host, port, path = _parts(address.text)
        own = host in _OWN and port not in _ADMIN_PORTS
        if method == "DELETE" and not own:
            return address.span
        if method in ("POST", "PUT", "PATCH") and not own and _DELETES.search(path):
            return address.span
    return _mutates(call)


def _request(call: Call) -> tuple[str, list[Arg]]:
    """Return the method of a request, and the addresses it goes to."""
    if call.program in _CURLS:
        given = call.get("-X", "--request", "--method")
        sends = call.has("-d", "--data-raw", "--data-binary", "--json", "-F", "--post-data")
        method = given.text.upper() if given else "POST" if sends else "GET"
        return method, [*call.operands, *call.options.all("--url")]
    words = list(call.operands)
    if words and words[0].text.isalpha() and words[0].text.isupper():
        return words[0].text, words[1:2]
    return "GET", words[:1]


def _parts(address: str) -> tuple[str, str, str]:
    """Return host, port and path; `:9200/x` is a port of this machine."""
    found = _HOST.match(address)
    return (found[1].lower(), found[2] or "", found[3]) if found else (address, "", "")


def _mutates(call: Call) -> Span | None:
    bodies = call.options.all("-d", "--data-raw", "--data-binary", "--json", "--post-data")
    return next((body.span for body in bodies if _MUTATION.search(body.text)), None)


RULE = Rule(
    id="request.delete",
    answer=GuardAnswer.ASK,
    says="sends a DELETE request to a service",
    why="data deleted by the service cannot be restored",
    instead="Read it first with GET, and show the request to the user.",
    programs=(*_CURLS, *_METHODS),
    objects_to=deletes,
)
