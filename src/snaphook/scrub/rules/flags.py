"""Passwords that programs take as an option: no name gives them away, the program does.

Every option of a command counts, also on the lines that continue it.
"""

import re
from collections.abc import Iterator

from snaphook.scrub.rule import SecretRule
from snaphook.scrub.scan import COMMAND, Hint, any_of

_QUOTE = r"""\\{0,3}["'`]"""
"""A quote, escaped where the command is itself part of a JSON text."""
_BREAK = r"(?:[\\^`][ \t]?\r?\n|[\\^`]?\\{3,7}(?:r\\{1,3})?n)"
"""The end of a line that is continued: in sh, cmd.exe and PowerShell, and in a JSON string."""
_BLANK = rf"(?:[ \t]|{_BREAK})"
_BETWEEN = rf"(?:{_BLANK}{{1,8}}+(?:{_QUOTE})?|=(?:{_QUOTE})?|{_QUOTE},[ \t]{{0,4}}{_QUOTE}){{1}}+"
"""Between an option and its value: blanks, an equals sign, or the quotes and comma of a list of arguments.

Never the end of a line: what follows there belongs to another command. None of it is given back
(``+``): where the value is a placeholder, the quote or sign before it would pass for a value.
"""
_GLUED = rf"(?:{_BETWEEN}|(?:{_QUOTE})?){{1}}+"
_BEFORE = r"""(?:(?<=[\s,"'`(])|(?<=\\n))"""
"""An option begins behind a blank, or a quote or comma of a list of arguments."""
_VALUE = (
    r"""(?:(?<=["'`])([^"'`\\\n$\[][^"'`\\\n]{1,255})(?=\\{0,3}["'`])"""
    r"""|([^\s"'`$<>|;&,(\[{\\][^\s"'`|;&,\\]{1,255}))"""
)
"""A value in quotes or bare; one that a variable or another command fills in is no secret."""
_LOGIN = r"""[^\s:%,"'`/$\[]{0,64}[:%,]([^\s"'`$\[\\][^\s"'`\\]{0,255})"""
"""A user, and behind a colon, percent sign or comma the password."""

_WORDS = r"""[ \t"',]{1,6}(?:[^\n;|&]{0,80}?[ \t"',])??"""
"""Between the two words of a program such as ``docker login``: other options, perhaps."""
_AFTER = r"""(?:[.-][\w.-]{0,15})?\\{0,3}["'`]?(?=[ \t,\\^`])"""
"""The rest of the program's name (``mysql.exe``)."""


def _command(
    id_: str,
    what: str,
    programs: str,
    options: str,
    *,
    glued: bool = False,
    value: str = _VALUE,
) -> SecretRule:
    """Return the rule for the values of *options* of *programs*; a ``+`` separates a program's words.

    *glued* allows a value without a blank before it: ``mysql -psecret``.
    """
    names = programs.split()
    firsts = sorted({name.partition("+")[0] for name in names})
    spelled = "|".join(_WORDS.join(map(re.escape, name.split("+"))) for name in names)
    return SecretRule(
        id=id_,
        what=what,
        keywords=tuple(firsts),
        # Behind a blank a dash begins the next option: 'ssh-keygen -p -N new' gives -p no value.
        regex=rf"{_BEFORE}(?:{options}){_GLUED if glued else _BETWEEN}(?!(?<=\s)-){value}",
        hints=tuple(_hints(names)),
        program=rf"(?i:{spelled})(?![A-Za-z0-9_]){_AFTER}",
    )


_REST = r"""(?:[.-][\w.-]{0,15})?\\{0,3}["'`]?[ \t,\\^`]"""


def _hints(names: list[str]) -> Iterator[Hint]:
    """Yield what the beginning of a command looks like: a program's name, or both words of it."""
    single = sorted(name for name in names if "+" not in name)
    if single:
        yield Hint(
            f"{COMMAND}{any_of(single)}",
            _REST,
        )
    pairs = [name.split("+") for name in names if "+" in name]
    if pairs:
        yield Hint(
            f"{COMMAND}{any_of(sorted({first for first, *_ in pairs}))}",
            r"""[ \t"',]{1,6}(?:[^\n;|&]{0,80}[ \t"',])?"""
            + any_of(sorted({words[1] for words in pairs})),
        )


_DATABASES = (
    "mysql mysqldump mysqladmin mysqlimport mysqlsh mysqlcheck mysqlbinlog mysqlslap mysqlshow"
    " mysqlpump mysql_upgrade mydumper myloader mariadb mariadb-dump mariadb-admin mycli xtrabackup"
    " mariabackup pt-table-checksum pt-online-schema-change"
)

FLAGS: tuple[SecretRule, ...] = (
    _command("ssh-password", "password on an sshpass command line", "sshpass", "-p", glued=True),
    _command(
        "database-password",
        "password on a MySQL or MariaDB command line",
        _DATABASES,
        r"-p(?!\s|assword)|--password[123]?(?!\w)",
        glued=True,
    ),
    _command(
        "redis-password",
        "password on a Redis command line",
        "redis-cli valkey-cli keydb-cli redis-benchmark redli",
        "--pass|-a(?!skpass)",
    ),
    _command(
        "login-password",
        "password on a login command line",
        "docker+login podman+login buildah+login skopeo nerdctl+login oras crane+auth gcrane+auth"
        " helm az oc+login cf+login cf+auth ibmcloud+login snowsql twine npm+login argocd+login nuget"
        " dotnet+nuget choco+push regctl+registry flux astro+login rosa+login tkn odo+login"
        " onepassword bw lpass gem+push doctl+auth glab+auth vercel netlify railway eas expo+login",
        "-p|--password|--api-?key|-t(?!ag|ype|imeout|enant)|--token|-k|--key",
    ),
    _command(
        "mongo-password",
        "password on a MongoDB, Cassandra, InfluxDB, ClickHouse or Hive command line",
        "mongo mongosh mongodump mongorestore mongoexport mongoimport mongostat mongotop cqlsh influx"
        " clickhouse-client clickhouse cypher-shell rabbitmqadmin arangosh arangodump couchbase-cli"
        " cbq vsql impala-shell beeline trino presto dse nodetool sstableloader",
        "--password|-password|-pw?(?!assword|ort)",
        glued=True,
    ),
    _command(
        "sqlserver-password",
        "password on a SQL Server or Sybase command line",
        "sqlcmd bcp osql isql tsql dtexec sqlpackage fisql",
        "-P|/[pP](?:assword)?:",
        glued=True,
    ),
    _command(
        "message-broker-password",
        "password on a message broker's command line",
        "mosquitto_pub mosquitto_sub mosquitto_rr nats mqttx activemq kcat kafkacat",
        "-P|--password|--pw",
        glued=True,
    ),
    _command(
        "service-password",
        "password of a service's administrator on a command line",
        "elasticsearch-users openstack keystone ipa kadmin kadmin.local realm adcli samba-tool pdbedit"
        " yt-dlp youtube-dl aria2c x11vnc winscp wlst asadmin jboss-cli.sh jboss-cli vmrun govc ovftool"
        " rclone s3cmd mount.cifs rabbitmqctl pgbouncer useradd usermod groupadd chage",
        "--password|--admin-password|--os-password|--newpassword|-passwd|--passwd|-pw|-p(?!assword|asswd|ort|w)"
        "|-gp|/password[:=]|--secret_key|--http-passwd|--ftp-passwd",
    ),
    SecretRule(
        id="oracle-password",
        what="password of an Oracle connection",
        keywords=("sqlplus", "expdp", "impdp", "sqlldr", "rman", "sqlcl"),
        hints=(
            Hint(
                COMMAND + any_of(("sqlplus", "expdp", "impdp", "sqlldr", "rman", "sqlcl")),
                _REST,
            ),
        ),
        program=rf"(?i:sqlplus|expdp|impdp|sqlldr|rman|sqlcl){_AFTER}",
        regex=rf"""{_BEFORE}(?:[\w]{{1,30}}=)?[A-Za-z]\w{{0,30}}/"""
        rf"""(?:{_QUOTE})?+([^\s"'@/$\[\\][^\s"'@\\]{{1,127}})(?:{_QUOTE})?@""",
    ),
    _command(
        "openssl-key",
        "key on an OpenSSL command line",
        "openssl",
        "-k|-K|-hmac|-passin|-passout|-pass|-password",
        value=r"""(?!(?:file|env|fd|stdin|pass):)""" + _VALUE,
    ),
    SecretRule(
        id="openssl-password",
        what="pass phrase on an OpenSSL command line",
        keywords=("pass:",),
        regex=r"pass:([^\s\"'`$\[\\][^\s\"'`\\]{0,255})",
    ),
    _command(
        "passphrase-option",
        "pass phrase on a command line",
        "gpg gpg2 gpgsm ssh-keygen cryptsetup restic borg duplicity ccrypt mcrypt ansible-vault"
        " steghide qpdf pdftk veracrypt truecrypt signtool osslsigncode",
        "--passphrase|--key-passphrase|--password|-N|-P|-pass|-K|/p|-p(?!assphrase|assword)"
        "|user_pw|owner_pw|input_pw",
    ),
    _command(
        "ldap-password",
        "password on an LDAP command line",
        "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn ldapexop"
        " ldapvi",
        "-w|-s(?!ub|one|base)|-a",
        glued=True,
    ),
    _command(
        "user-and-password",
        "password behind a user's name on a command line",
        "http https xh xhs wget ab lftp smbclient smbget smbmap rpcclient etcdctl vegeta"
        " smbcacls nxc netexec secretsdump.py",
        "-a|--auth|-A|-u|-U|--user",
        value=_LOGIN,
        glued=True,
    ),
    _command(
        "curl-login",
        "password on a curl command line",
        "curl",
        "-[a-zA-TV-Z#0]{0,8}[uU]|--user|--proxy-user|-E|--cert|--proxy-cert",
        value=_LOGIN,
        glued=True,
    ),
    _command(
        "curl-pass",
        "pass phrase or token on a curl command line",
        "curl",
        "--pass|--proxy-pass|--tlspassword|--proxy-tlspassword|--oauth2-bearer",
    ),
    _command(
        "curl-cookie",
        "cookie on a curl command line",
        "curl wget",
        "-b|--cookie",
        value=r"""(?:(?<=["'`])([^\s"'`=;]{1,64}=[^"'`\\\n]{4,2048})|([^\s"'`=;]{1,64}=[^\s"'`]{4,2048}))""",
    ),
    _command(
        "archive-password",
        "password of an archive",
        "zip unzip zipcloak zipinfo bsdtar",
        "-P|--password|--passphrase",
    ),
    SecretRule(
        id="archive-password-glued",
        what="password of an archive",
        keywords=("7z", "7za", "7zr", "7zz", "rar", "unrar"),
        hints=(Hint(COMMAND + r"(?:7z[arz]?|(?:un)?rar)", _REST),),
        program=rf"(?:7z[arz]?|(?:un)?rar){_AFTER}",
        regex=rf"{_BEFORE}-h?p(?:{_QUOTE})?+" r"""([^\s"'`$\[\\,-][^\s"'`\\,]{0,127})""",
    ),
    _command(
        "keystore-password",
        "password of a Java key store",
        "keytool jarsigner apksigner",
        "-storepass|-keypass|-srcstorepass|-deststorepass|-srckeypass|-destkeypass|-new"
        "|--ks-pass|--key-pass",
        value=r"(?!(?:file|env|stdin|pass):|:(?:file|env))" + _VALUE,
    ),
    _command(
        "remote-desktop-password",
        "password of a remote desktop or a management board",
        "xfreerdp xfreerdp3 wlfreerdp sdl-freerdp rdesktop vncviewer ipmitool racadm winexe evil-winrm"
        " crackmapexec psexec plink pscp psftp cadaver svn svnadmin hg lpadmin putty kitty_portable"
        " wmic paexec",
        "--password|-password|-pw|-p(?!assword|w|ort|rop)|-P|/p:|/password:",
        glued=True,
    ),
    _command(
        "snmp-password",
        "credentials of SNMP",
        "snmpwalk snmpget snmpset snmpbulkwalk snmpgetnext snmptrap snmptable",
        "-A|-X|-c",
        glued=True,
    ),
    _command(
        "nmcli-password",
        "pass phrase of a network",
        "nmcli iwctl",
        "password|--passphrase|wifi-sec.psk",
    ),
    _command(
        "literal-secret",
        "value of a secret on a command line",
        "kubectl oc helm gh+secret wrangler fly+secrets flyctl+secrets heroku+config:set vault+kv"
        " vault+write doppler+secrets aws+secretsmanager supabase+secrets gcloud+secrets az+keyvault"
        " eb+setenv dokku+config:set convox+env ssm+put-parameter chamber+write conjur netlify+env:set",
        "--from-literal|--set-string|-b|--body|--value|--secret-string|--data|--docker-password",
        glued=True,
        value=rf"""(?!(?:file|fileb|env):)(?:[\w./-]{{1,80}}=)?+{_VALUE}""",
    ),
    SecretRule(
        id="assigned-secret",
        what="value given to a command that sets secrets",
        keywords=("secret", "secrets", "config:set", "kv"),
        hints=(Hint(r"(?:secrets?|kv)[ \t]{1,4}(?:set|put|import)|config:set"),),
        program=r"(?:secrets?|kv)[ \t]{1,4}(?:set|put|import)|config:set",
        regex=rf"""{_BEFORE}[\w./-]{{1,80}}=(?:{_QUOTE})?+{_VALUE}""",
    ),
)
