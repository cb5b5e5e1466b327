"""Clients of databases: the text they are given is SQL, or the store's own commands.

psql -c 'DROP TABLE users'          ->  Code('sql', 'DROP TABLE users')
echo 'DROP TABLE users' | sqlite3 x ->  the same
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from snaphook.shell.facts import Act, Action, Arg, Call, Code, Effect, File
from snaphook.shell.options import getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program, on
from snaphook.shell.text import is_unknown


def client(
    options: str,
    *,
    texts: tuple[str, ...],
    files: tuple[str, ...] = (),
    after: tuple[str, ...] = (),
    operand: int | None = None,
    language: str = "sql",
) -> Program:
    """Return the entry of a client that takes code in the options *texts*, or from a pipe.

    *files* name files of code, *operand* is the place of an operand that is code too; *after* is
    the subcommand without which the client runs nothing.
    """

    def does(call: Call) -> Iterator[Action]:
        if call.options.starts(after):
            yield from _told(call, texts, files, operand, language)

    return Program(options=getopt(options), does=does)


def _told(
    call: Call,
    texts: tuple[str, ...],
    files: tuple[str, ...],
    operand: int | None,
    language: str = "sql",
) -> Iterator[Action]:
    """Return the code that a client is told to run."""
    given = call.options.all(*texts)
    if operand is not None:
        given += call.operands[operand:]
    for arg in given:
        yield from _code(call, arg, language)
    for arg in call.options.all(*files):
        yield File(path=resolve(arg.value, call.cwd), language=language, span=arg.span)
    if not given and call.stdin is not None:
        yield Code(language=language, text=call.stdin, span=call.span)


def _code(call: Call, arg: Arg, language: str) -> Iterator[Action]:
    if is_unknown(arg.value):
        what = f"what {call.program} is told"
        yield Effect(act=Act.OPAQUE, call=call, span=arg.span, detail=what)
    else:
        yield Code(language=language, text=arg.value, span=arg.span)


def redis(call: Call) -> Iterator[Action]:
    """Run the operands as one command, or the commands that come in."""
    if call.operands:
        text = " ".join(arg.value for arg in call.operands)
        yield Code(language="redis", text=text, span=call.operands[0].span)
    elif call.stdin is not None:
        yield Code(language="redis", text=call.stdin, span=call.span)


def dropped(call: Call) -> Iterator[Action]:
    """Drop each operand."""
    for arg in call.operands:
        yield Effect(act=Act.DROP, call=call, span=arg.span, path=arg.value)


def mysqladmin(call: Call) -> Iterator[Action]:
    """Drop a database, flush, or stop the server."""
    for arg in call.operands:
        if arg.text in ("drop", "shutdown", "kill", "password") or arg.text.startswith("flush-"):
            yield Effect(act=Act.DROP, call=call, span=arg.span, path=arg.text)


def bq(call: Call) -> Iterator[Action]:
    """Run SQL in BigQuery."""
    if call.subcommand == "query" and not call.has("--dry_run"):
        for arg in call.operands[1:]:
            yield from _code(call, arg, "sql")
        if len(call.operands) == 1 and call.stdin is not None:
            yield Code(language="sql", text=call.stdin, span=call.span)


def sqlite(call: Call) -> Iterator[Action]:
    """Run the words after the database, or what comes in; read the database itself."""
    if call.operands:
        yield on(Act.READ, call, call.operands[0])
    if not call.has("-readonly", "-safe"):
        yield from _told(call, ("-cmd", "-c", "-s"), ("-init", "-f"), 1)


def sqlcmd(call: Call) -> Iterator[Action]:
    """Run the text of -Q, of `sqlcmd query`, a file, or what comes in."""
    operand = 1 if call.subcommand == "query" else None
    yield from _told(call, ("-Q", "-q", "-t"), ("-i",), operand)


def statement(call: Call) -> Iterator[Action]:
    """Run SQL that was typed where a command was meant, as the tools of some hosts allow."""
    yield Code(language="sql", text=str(call), span=call.span)


_PSQL = (
    "c,command= f,file= d,dbname= h,host= p,port= U,username= v,set,variable= o,output="
    " L,log-file= P,pset= F,field-separator= R,record-separator= T,table-attr= l,list A t,tuples-only"
    " x,expanded X,no-psqlrc q,quiet a,echo-all b e E n s S 1,single-transaction w W H,html csv z 0"
)
_MYSQL = (
    "e,execute= D,database= h,host= u,user= P,port= S,socket= p?= password?= B,batch N s,silent"
    " H,html X,xml t,table v,verbose V,version f,force defaults-file= defaults-extra-file="
    " default-character-set= ssl-mode= protocol= r,raw E,vertical C init-command="
)
_LITE = (
    "cmd= init= separator= nullvalue= newline= c= s= f= mmap= vfs= pagecache lookaside maxsize="
    " csv json column line table html list header noheader readonly safe bail batch help version"
)
_SQLCMD = "Q,query= q= t,text= i= S= U= P= d,database= h= s= W o= E C b"
_SQLITE = Program(options=getopt(_LITE, abbreviates=False, single_dash=True), does=sqlite)
_PSQL_CLIENT = client(_PSQL, texts=("-c",), files=("-f",))
_PGCLI = client("e,execute= c= d,dbname= h,host= U,username= p,port= f,file=", texts=("-e", "-c"))
_MYSQL_CLIENT = client(_MYSQL, texts=("-e", "--init-command"))
_REDIS = Program(
    options=getopt(
        "h= p= a= n= s= u= r= i= x X= d= D= c raw json pipe scan pattern= stat tls user= pass= eval="
        " cert= key= cacert=",
        operands_end=True,
    ),
    does=redis,
)
_MONGO = client("eval= host= port= u= p= f,file= quiet norc nodb authenticationDatabase=",
                texts=("--eval",), files=("-f",), language="mongo")  # fmt: skip


PROGRAMS: Mapping[str, Program] = {
    **dict.fromkeys(
        ("DROP", "DELETE", "TRUNCATE", "UPDATE", "ALTER", "GRANT", "REVOKE", "drop", "delete"),
        Program(does=statement),
    ),
    **dict.fromkeys(("psql", "yugabyte", "ysqlsh", "gsql", "edb-psql"), _PSQL_CLIENT),
    **dict.fromkeys(("mysql", "mariadb", "mycli", "mysqlsh", "mysql8", "tidb"), _MYSQL_CLIENT),
    **dict.fromkeys(("sqlite3", "sqlite", "duckdb", "litecli", "sqlcipher"), _SQLITE),
    **dict.fromkeys(("redis-cli", "valkey-cli", "keydb-cli", "dragonfly-cli"), _REDIS),
    **dict.fromkeys(("mongosh", "mongo", "mongos"), _MONGO),
    **dict.fromkeys(
        ("clickhouse-client", "clickhouse", "clickhouse-local", "chc"),
        client("q,query= queries-file= h,host= u,user= password= d,database= port= f,format= n",
               texts=("-q",), files=("--queries-file",)),
    ),
    **dict.fromkeys(
        ("sqlcmd", "osql", "isql"),
        Program(options=getopt(_SQLCMD), does=sqlcmd),
    ),
    "bq": Program(options=getopt("use_legacy_sql?= format= project_id= dry_run r f d"), does=bq),
    "snowsql": client("q,query= f,filename= a= u= d= s= o= c=", texts=("-q",), files=("-f",)),
    "snow": client("q,query= f,filename= c=", texts=("-q",), files=("-f",), after=("sql",)),
    "cockroach": client("e,execute= f,file= url= insecure host= certs-dir= d,database=",
                        texts=("-e",), files=("-f",), after=("sql",)),
    "wrangler": client("command= file= c= env= e=", texts=("--command",), files=("--file",),
                       after=("d1", "execute")),
    "turso": client("", texts=(), after=("db", "shell"), operand=3),
    "usql": client("c,command= f,file=", texts=("-c",), files=("-f",)),
    "cqlsh": client("e,execute= f,file= u= p= k=", texts=("-e",), files=("-f",)),
    **dict.fromkeys(
        ("trino", "presto", "presto-cli"),
        client("execute= f,file= server= catalog= schema= user=", texts=("--execute",), files=("-f",)),
    ),
    **dict.fromkeys(
        ("hive", "beeline", "spark-sql", "impala-shell"),
        client("e= f= q,query= u= n= p= hiveconf= i=", texts=("-e", "-q"), files=("-f",)),
    ),
    "pgcli": _PGCLI,
    "influx": Program(
        options=getopt("execute= database= host= port=", single_dash=True, abbreviates=False),
        does=lambda call: _told(call, ("-execute",), (), None),
    ),
    "sqlplus": client("S s L", texts=()),
    "db2": client("f= t v", texts=(), files=("-f",), operand=0),
    "surreal": client("e,endpoint= u,user= p,pass= ns= db=", texts=(), after=("sql",)),
    "osqueryi": client("json csv", texts=(), operand=0),
    **dict.fromkeys(
        ("dropdb", "dropuser"),
        Program(options=getopt("h,host= p,port= U,username= if-exists f,force e i w W"), does=dropped),
    ),
    "mysqladmin": Program(options=getopt(_MYSQL), does=mysqladmin),
    "mariadb-admin": Program(options=getopt(_MYSQL), does=mysqladmin),
}  # fmt: skip
