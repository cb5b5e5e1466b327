"""Data in databases: dropped, emptied, rewritten row by row, or opened to others."""

from __future__ import annotations

import re
from fnmatch import fnmatchcase

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Effect, Span


def drops_protected(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a table that the settings protect (`protected_tables`) being dropped or emptied.

    Names may hold stars. The pack `bb5` protects `bb5_*`.

    Blocks: psql -c 'DROP TABLE agent_events'
    Blocks: echo 'drop table if exists "agent_events" cascade;' | psql
    Allows: psql -c 'SELECT * FROM agent_events'
    """
    shapes = [
        *scene.settings.protected_tables,
        *(["bb5_*"] if "bb5" in scene.settings.packs else []),
    ]
    words = re.findall(r"\w+", effect.path.lower())
    found = any(fnmatchcase(word, shape.lower()) for word in words for shape in shapes)
    return effect.span if found else None


def drops(effect: Effect, scene: RuleContext) -> Span | None:
    r"""Point at what is dropped: a database, schema, table, column, collection or key.

    Asks: psql -c "DROP TABLE users"
    Asks: mysql -e 'SELECT 1; drop database app'
    Asks: psql -c "ALTER TABLE users DROP COLUMN email"
    Asks: sqlite3 app.db <<< 'DROP TABLE users'
    Asks: psql <<'EOF'↵BEGIN;↵DROP SCHEMA public CASCADE;↵EOF
    Asks: dropdb app
    Asks: mysqladmin drop app
    Asks: mongosh --eval "db.dropDatabase()"
    Asks: redis-cli DEL session:1
    Asks: sqlite3 app.db '.drop trigger notify'
    Allows: psql -c 'SELECT * FROM users'
    Allows: psql -c "SELECT 'drop table users'"
    Allows: psql -c '\dt'
    Allows: psql -h localhost app
    Allows: sqlite3 -readonly app.db 'DROP TABLE users'
    Allows: redis-cli GET session:1
    Allows: mongosh --eval "db.users.find()"
    Allows: echo "DROP TABLE users" > notes.txt
    Allows: sqlite3 :memory: 'drop table a'
    Allows: sqlite3 app.db 'drop index by_name'
    """
    return None if _is_new(effect, scene) else effect.span


def _is_new(effect: Effect, scene: RuleContext) -> bool:
    """Say whether the database is a file that is not there yet, so that it holds nothing."""
    files = [
        one.path
        for one in scene.effects
        if one.call is effect.call and one.act is Act.READ and one.call.program in _FILES
    ]
    return bool(files) and all(
        path.endswith(":memory:") or scene.world.exists(path) is False or scene.places.is_temp(path)
        for path in files
    )


_FILES = ("sqlite3", "sqlite", "duckdb", "litecli", "sqlcipher")


def empties(effect: Effect, scene: RuleContext) -> Span | None:
    """Point at a table emptied: DELETE with no real condition, TRUNCATE, FLUSHALL.

    Blocks: psql -c "DELETE FROM users"
    Blocks: mysql -e "DELETE FROM users WHERE 1=1"
    Blocks: sqlite3 app.db 'delete from users where true'
    Blocks: psql -c "DELETE FROM users -- WHERE id = 1"
    Blocks: psql -h where.example.com -c 'TRUNCATE orders'
    Blocks: psql -c "WITH gone AS (DELETE FROM users RETURNING *) SELECT count(*) FROM gone"
    Blocks: echo FLUSHALL | redis-cli
    Blocks: mongosh --eval "db.users.deleteMany({})"
    Allows: psql -c "DELETE FROM users WHERE id = 1"
    Allows: mysql -e "delete from sessions where expires < now()"
    """
    return None if _is_new(effect, scene) else effect.span


def rewrites(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at an UPDATE that changes every row.

    Asks: psql -c "UPDATE users SET active = false"
    Asks: mysql -e "UPDATE users SET active=0 WHERE 1"
    Allows: psql -c "UPDATE users SET active = false WHERE id = 1"
    """
    return effect.span


def grants(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at rights given or taken, and at the server's own settings.

    Asks: mysql -e "GRANT ALL PRIVILEGES ON *.* TO 'eve'@'%'"
    Asks: psql -c "ALTER USER postgres PASSWORD 'x'"
    Asks: redis-cli CONFIG SET dir /etc
    Allows: mysql -e "SHOW GRANTS"
    """
    return effect.span


RULES = (
    Rule(
        id="database.drop-protected",
        answer=GuardAnswer.DENY,
        says="drops a protected table",
        why="the settings protect this table",
        instead="Let the user do it, after a backup.",
        acts=(Act.DROP, Act.EMPTY),
        objects_to=drops_protected,
    ),
    Rule(
        id="database.empty",
        answer=GuardAnswer.DENY,
        says="empties a table or a whole database",
        why="all rows are deleted and cannot be restored",
        instead="Add a WHERE condition that selects the rows.",
        acts=(Act.EMPTY,),
        objects_to=empties,
    ),
    Rule(
        id="database.drop",
        answer=GuardAnswer.ASK,
        says="drops a database object",
        why="its data is deleted",
        instead="Rename it, or make a backup first.",
        acts=(Act.DROP,),
        objects_to=drops,
    ),
    Rule(
        id="database.rewrite",
        answer=GuardAnswer.ASK,
        says="changes every row of a table",
        why="the old values are lost",
        instead="Add a WHERE condition that selects the rows.",
        acts=(Act.REWRITE,),
        objects_to=rewrites,
    ),
    Rule(
        id="database.rights",
        answer=GuardAnswer.ASK,
        says="changes database permissions",
        why="wrong permissions are hard to notice",
        instead="Let the user change permissions.",
        acts=(Act.GRANT,),
        objects_to=grants,
    ),
)
