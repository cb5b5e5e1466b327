"""The pack `databases`: reading is free, every write is asked about, none goes to production."""

from __future__ import annotations

import re
from functools import lru_cache

from snaphook.providers.guard.custom_rules.statements import statements
from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.contexts import production
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.pack import call_of
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span

_TOOLS = harms("""
    pg_restore|mysqlimport|mongorestore|mongoimport|pgloader|pgbench|reindexdb|clusterdb|vacuumdb
    createdb|createuser|dropdb|dropuser|pg_resetwal|pg_upgrade|pg_ctl|initdb
    mysqladmin|mariadb-admin create|drop|shutdown|kill|password|reload|flush-*|refresh
    mysql_upgrade|mysql_secure_installation|mariadb-upgrade
    redis-cli|valkey-cli --pipe
    psql|mysql|mariadb|sqlite3 -f|--file
    redis-server|mongod|mysqld|postgres
""")
_CLIENT = re.compile(r"^[ \t]*[\\.].*$", re.MULTILINE)
_IMPORTS = re.compile(
    r"^[ \t]*(?:\.(?:import|restore|load|read)|\\(?:copy|i|ir|include))\b", re.MULTILINE
)
"""Commands of the client itself that change data or run a file of statements."""
_READS = frozenset({"select", "show", "describe", "explain", "with", "pragma", "use", "set", "begin",
                    "commit", "rollback", "analyze", "values", "desc", "transaction"})  # fmt: skip
_REDIS_TEXT = """
    get mget keys scan exists ttl pttl type info ping dbsize hget hgetall hmget hkeys hvals hlen
    hexists hscan lrange llen lindex smembers sismember scard sscan zrange zrangebyscore zscore zcard
    zrank zscan zcount strlen getrange bitcount memory object time lastsave client slowlog monitor
    latency cluster role command xrange xlen xinfo xread pubsub dump echo auth select
"""
_REDIS = frozenset(_REDIS_TEXT.split())
_MONGO_TEXT = """
    insert( insertone( insertmany( update( updateone( updatemany( replaceone( delete( deleteone(
    deletemany( remove( drop( dropdatabase( dropindex( dropindexes( createindex( createcollection(
    createuser( dropuser( grantroles findoneandupdate( findoneanddelete( findoneandreplace(
    findandmodify( bulkwrite( renamecollection( runcommand( admincommand( $out $merge
"""
_MONGO = tuple(_MONGO_TEXT.split())


def _writes(fact: Call | Effect) -> Span | None:
    if isinstance(fact, Call):
        return _TOOLS.find(fact)
    if fact.act is not Act.CODE:
        return fact.span
    return fact.span if _changes(fact.language, fact.detail) else None


@lru_cache(maxsize=128)
def _changes(language: str, text: str) -> bool:
    if language == "sql":
        if _IMPORTS.search(text):
            return True
        return any(one.kind not in _READS for one in statements(_CLIENT.sub("", text)))
    if language == "redis":
        words = [line.split()[0].lower() for line in text.splitlines() if line.split()]
        return any(word not in _REDIS for word in words)
    if language == "mongo":
        flat = "".join(text.lower().split())
        return any(word in flat for word in _MONGO)
    return False


def writes(fact: Call | Effect, _scene: RuleContext) -> Span | None:
    """Point at whatever changes data or its shape in a database.

    Asks: psql -c "INSERT INTO users VALUES (1)"
    Asks: psql -c "DELETE FROM users WHERE id = 1"
    Asks: sqlite3 app.db "CREATE TABLE t (id int)"
    Asks: redis-cli SET session:1 x
    Asks: mongosh --eval "db.users.updateOne({_id: 1}, {$set: {a: 1}})"
    Asks: pg_restore -d app dump.sql
    Allows: psql -c "SELECT * FROM users"
    Allows: redis-cli GET session:1
    Allows: mongosh --eval "db.users.find({})"
    Allows: pg_dump app
    """
    return None if only_asks(call_of(fact)) else _writes(fact)


def writes_production(fact: Call | Effect, scene: RuleContext) -> Span | None:
    """Point at such a write to a host or database that is production's.

    Blocks: psql -h db.prod.example.com -c "UPDATE users SET a = 1 WHERE id = 2"
    Blocks: psql postgres://app@prod-db/app -c "INSERT INTO t VALUES (1)"
    Blocks: REDIS_URL=redis://prod redis-cli DEL a
    Allows: psql -h db.prod.example.com -c "SELECT count(*) FROM users"
    """
    found = writes(fact, scene)
    return found if found is not None and production(call_of(fact), scene) else None


_ACTS = (Act.CODE, Act.DROP, Act.EMPTY, Act.REWRITE, Act.GRANT)

RULES = (
    Rule(
        id="databases.production",
        answer=GuardAnswer.DENY,
        says="writes to a production database",
        why="production users depend on it",
        instead="Write a migration, and let the user run it.",
        programs=_TOOLS.programs,
        acts=_ACTS,
        objects_to=writes_production,
        optional=True,
        pack="databases",
    ),
    Rule(
        id="databases.write",
        answer=GuardAnswer.ASK,
        says="changes data or the schema in a database",
        why="it cannot be undone",
        instead="Show the statement to the user, or run it in a transaction with rollback.",
        programs=_TOOLS.programs,
        acts=_ACTS,
        objects_to=writes,
        optional=True,
        pack="databases",
    ),
)
