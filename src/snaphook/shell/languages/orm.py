"""Data that goes through a framework: the calls of ORMs and drivers that empty or drop.

'User.objects.all().delete()'  ->  drops what User holds

Told by the shape of the call, in whatever language: the same few verbs are used everywhere. A call
with a condition is left alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from snaphook.shell.facts import Act, Call, Code, Effect

_EMPTIES = re.compile(
    r"\.objects(?:\.using\([^)]*\))?\.(?:all\(\)\.)?(?:_raw_)?delete\(\)"  # Django
    r"|\.objects\.filter\(\)\.delete\(\)"
    r"|\.query(?:\([^)]*\))?\.delete\(\)"  # SQLAlchemy
    r"|\b(?:db|engine|session|conn|connection)\.\w{0,20}\.?delete_many\(\s*\{\s*\}\s*\)|\.delete_many\(\s*(?:\{\s*\})?\s*\)"
    r"|\.(?:deleteMany|remove)\(\s*(?:\{\s*\})?\s*\)|\.destroy\(\s*\{[^}]*(?:truncate\s*:\s*true|where\s*:\s*\{\s*\})"
    r"|\b[A-Z]\w*(?:\.all)?\.(?:delete_all|destroy_all)\b|\.truncate(?:_all|_tables)?\b\s*(?:\(|$)"
    r"|::(?:query\(\)->delete|truncate)\(\)|DB::table\([^)]*\)->(?:truncate|delete)\(\)"
    r"|\.(?:flushall|flushdb|flushAll|flushDb|FLUSHALL)\(|\bRepo\.delete_all\(\s*\w+\s*\)"
)
_DROPS = re.compile(
    r"\b(?:drop_all|dropAll|drop_database|dropDatabase|drop_tables?|dropTables?|drop_collection|dropCollection|dropSchema|drop_schema)\s*\("
    r"|\bsync\(\s*\{[^}]*force\s*:\s*true|synchronize\(\s*true|\bsequelize\.drop\(|\.collection\([^)]*\)\.drop\(|\bdb\.\w+\.drop\(\)"
    r"|Schema::drop\w*\(|\bcall_command\(\s*['\"](?:flush|reset_db|sqlflush)|\bmigrate:fresh|->dropIfExists\("
    r"|connection\.drop_table|ActiveRecord::Base\.connection\.execute\(\s*['\"]\s*(?:drop|truncate)"
)
_SQL = re.compile(
    r"(?:executeRawUnsafe|executeRaw|queryRawUnsafe|DB::statement|DB::unprepared|sequelize\.query|\.query|\.raw|exec_query|\.execute)"
    r"\s*[(`]\s*(?:text\(\s*)?[\"'`]([^\"'`]{4,4000})"
)


def stored_data(code: Code, call: Call) -> Iterator[Effect | Code]:
    """Return what *code* does to the data behind a framework."""
    if ":memory:" in code.text:
        return  # a database of the moment, as tests make one
    for shape in (_EMPTIES, _DROPS):
        if found := shape.search(code.text):
            yield Effect(
                act=Act.DROP, call=call, span=code.span, path=found[0][:60], language="orm"
            )
    if code.language != "python":
        for found in _SQL.finditer(code.text):
            yield Code(language="sql", text=found[1], span=code.span)
