"""Stores that are no SQL databases: Redis commands, and the scripts of MongoDB's shell."""

from __future__ import annotations

import re
from collections.abc import Iterator

from snaphook.shell.facts import Act, Action, Arg, Call, Code, Effect, Runs

_REDIS = {
    "flushall": Act.EMPTY,
    "flushdb": Act.EMPTY,
    "swapdb": Act.DROP,
    "del": Act.DROP,
    "unlink": Act.DROP,
    "shutdown": Act.DROP,
    "debug": Act.DROP,
    "replicaof": Act.DROP,
    "slaveof": Act.DROP,
    "failover": Act.DROP,
}
_REDIS_PAIRS = {
    ("config", "set"): Act.GRANT,
    ("config", "rewrite"): Act.GRANT,
    ("config", "resetstat"): Act.GRANT,
    ("acl", "setuser"): Act.GRANT,
    ("acl", "deluser"): Act.GRANT,
    ("script", "flush"): Act.DROP,
    ("function", "flush"): Act.DROP,
    ("cluster", "reset"): Act.DROP,
    ("cluster", "flushslots"): Act.DROP,
    ("client", "kill"): Act.DROP,
    ("xgroup", "destroy"): Act.DROP,
    ("module", "load"): Act.GRANT,
}
_SCRIPTED = re.compile(r"redis\.p?call\(([^)]*)\)")
_RUNS = re.compile(r"\b(?:run|runProgram|runMongoProgram|execSync)\s*\(([^)]*)\)")
_STRING = re.compile(r"[\"']([^\"']*)[\"']")
_MONGO = re.compile(
    r"\.\s*(?P<empty>(?:deleteMany|remove)\s*\(\s*(?:\{\s*\}\s*)?\))"
    r"|\.\s*(?P<drop>dropDatabase|drop|dropIndexes|dropUser|dropRole|dropCollection|deleteMany"
    r"|remove|shutdownServer|findAndModify\s*\(\s*\{[^}]{0,300}remove)\s*\("
    r"|\.\s*(?P<rewrite>updateMany\s*\(\s*\{\s*\})"
)


def redis(code: Code, call: Call) -> Iterator[Action]:
    """Return what the Redis commands in *code*, one a line, do."""
    for line in [*code.text.splitlines(), *_SCRIPTED.findall(code.text)]:
        words = line.lower().replace("'", " ").replace('"', " ").replace(",", " ").split()
        if not words:
            continue
        act = _REDIS.get(words[0]) or _REDIS_PAIRS.get((words[0], words[1] if words[1:] else ""))
        if act is not None:
            name = " ".join(words[1:3])
            yield Effect(act=act, call=call, span=code.span, path=name, language="redis")


def mongo(code: Code, call: Call) -> Iterator[Action]:
    """Return what the script in *code* does to collections, and the programs it starts."""
    for ran in _RUNS.finditer(code.text):
        words = _STRING.findall(ran[1])
        yield Runs(args=tuple(Arg(value=word, span=code.span) for word in words))
    for found in _MONGO.finditer(code.text):
        act = Act.EMPTY if found["empty"] else Act.DROP if found["drop"] else Act.REWRITE
        yield Effect(act=act, call=call, span=code.span, path=found[0].strip("."), language="mongo")
