"""Passwords that programs take as an option or an argument: no name gives them away, the program does."""

from snaphook.scrub.rule import SecretRule

_QUOTE = r"""\\{0,3}["'`]"""
"""A quote, escaped where the command is itself part of a JSON text."""
_BETWEEN = rf"(?:[ \t]{{1,8}}(?:{_QUOTE})?|=(?:{_QUOTE})?|{_QUOTE},[ \t]{{0,4}}{_QUOTE}){{1}}+"
"""Between two words: blanks, an equals sign, or the quotes and comma of a list of arguments.

Never the end of a line: what follows there belongs to another command. None of it is given back
(``+``): where the value is a placeholder, the quote or sign before it would pass for a value.
"""
_INSIDE = (
    rf"(?:[.-][\w.-]{{0,15}})?(?:{_QUOTE})?[ \t,]"
    rf"(?:[^\n;|&]{{0,300}}?[ \t,])??(?:{_QUOTE})?"
)
"""The rest of the program's name (``mysql.exe``), and the words of the same command before the option."""
_VALUE = (
    r"""(?:(?<=["'`])([^"'`\\\n$\[][^"'`\\\n]{2,255})(?=\\{0,3}["'`])"""
    r"""|([^\s"'`$<>|;&,(\[{\\][^\s"'`|;&,\\]{2,255}))"""
)
"""A value in quotes or bare; one that a variable or another command fills in is no secret."""

_GAP = rf"(?:(?:{_QUOTE})?[ \t]{{1,8}}(?:{_QUOTE})?|{_QUOTE},[ \t]{{0,4}}{_QUOTE}){{1}}+"
"""Between two arguments, where an equals sign is part of either."""
_WORD = rf"""[^\s"'`,;|&\\-][^\s"'`,;|&\\]{{0,255}}+{_GAP}"""
_HTPASSWD_FLAG = rf"(?:-[bBcdDimnpsv25]{{1,6}}{_GAP}|-[bBcn]{{0,4}}[Cr](?:{_GAP})?\d{{1,9}}{_GAP})"


def _option(id_: str, what: str, programs: str, options: str, *, glued: bool = False) -> SecretRule:
    """Return the rule for the value of one of *options* of *programs*.

    *glued* allows it without a blank: ``mysql -psecret``.
    """
    names = programs.split()
    spelled = "|".join(name.replace("+", _BETWEEN) for name in names)
    between = rf"(?:{_BETWEEN}|(?:{_QUOTE})?){{1}}+" if glued else _BETWEEN
    return SecretRule(
        id=id_,
        what=what,
        keywords=_keywords(*(name.partition("+")[0] for name in names)),
        regex=rf"(?i:{spelled})\b{_INSIDE}(?:{options}){between}{_VALUE}",
    )


def _keywords(*programs: str) -> tuple[str, ...]:
    """Return what gives *programs* away: a name of two letters only before a blank or a quote."""
    ends = {name: ("",) if len(name) > 2 else (" ", '"', "'") for name in programs}
    return tuple(sorted({f"{name}{end}" for name in programs for end in ends[name]}))


FLAGS: tuple[SecretRule, ...] = (
    _option(
        "ssh-password",
        "password on an sshpass command line",
        "sshpass",
        "-p",
        glued=True,
    ),
    _option(
        "database-password",
        "password on a database client's command line",
        "mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mariadb-admin mycli",
        r"-p(?!\s)|--password",
        glued=True,
    ),
    _option(
        "redis-password",
        "password on a redis-cli command line",
        "redis-cli valkey-cli keydb-cli redis-benchmark",
        "--pass|-a(?!skpass)",
    ),
    _option(
        "login-password",
        "password on a login command line",
        "docker+login podman+login buildah+login skopeo+login nerdctl+login oras+login crane+auth+login"
        " helm+registry+login helm+repo+add az+login az+acr+login oc+login cf+login ibmcloud+login"
        " snowsql twine npm+login vault+login argocd+login nuget gcrane+auth+login",
        "-p|--password|--api-?key",
    ),
    _option(
        "mongo-password",
        "password on a MongoDB, Cassandra, InfluxDB or ClickHouse command line",
        "mongo mongosh mongodump mongorestore mongoexport mongoimport cqlsh influx clickhouse-client"
        " clickhouse cypher-shell rabbitmqadmin arangosh couchbase-cli vsql impala-shell trino",
        "--password|-password|-p(?!assword)",
        glued=True,
    ),
    _option(
        "sqlserver-password",
        "password on a SQL Server command line",
        "sqlcmd bcp osql isql tsql",
        "-P",
        glued=True,
    ),
    SecretRule(
        id="oracle-password",
        what="password of an Oracle connection",
        keywords=("sqlplus", "expdp", "impdp", "sqlldr", "rman"),
        regex=rf"(?i:sqlplus|expdp|impdp|sqlldr|rman){_INSIDE}[A-Za-z]\w{{0,30}}/"
        rf"""(?:{_QUOTE})?+([^\s"'@/$\[\\][^\s"'@\\]{{2,127}})(?:{_QUOTE})?@""",
    ),
    SecretRule(
        id="htpasswd-password",
        what="password on an htpasswd command line",
        keywords=("htpasswd",),
        # With -n there is no file: the password is the second word, otherwise the third.
        regex=rf"htpasswd(?:\.exe)?{_GAP}(?={_HTPASSWD_FLAG}{{0,6}}-\w{{0,6}}b)"
        rf"(?:(?={_HTPASSWD_FLAG}{{0,6}}-\w{{0,6}}n){_HTPASSWD_FLAG}{{1,6}}"
        rf"|(?!{_HTPASSWD_FLAG}{{0,6}}-\w{{0,6}}n){_HTPASSWD_FLAG}{{1,6}}{_WORD}){_WORD}{_VALUE}",
    ),
    SecretRule(
        id="openssl-password",
        what="pass phrase on an OpenSSL command line",
        keywords=("pass:",),
        regex=r"pass:([^\s\"'`$\[][^\s\"'`]{0,255})",
    ),
    _option("openssl-key", "key on an OpenSSL command line", "openssl+enc openssl", "-k|-K|-hmac"),
    _option(
        "passphrase-option",
        "pass phrase on a command line",
        "gpg gpg2 gpgsm ssh-keygen age cryptsetup restic borg duplicity ccrypt mcrypt ansible-vault steghide",
        "--passphrase|-N|-P|--key-passphrase|-p",
    ),
    _option(
        "ldap-password",
        "password on an LDAP command line",
        "ldapsearch ldapadd ldapmodify ldapdelete ldappasswd ldapwhoami ldapcompare ldapmodrdn ldapexop"
        " ldapvi",
        "-w|-s|-a",
    ),
    SecretRule(
        id="user-and-password",
        what="password behind a user's name on a command line",
        keywords=_keywords(
            "http", "https", "xh", "wget", "ab", "lftp", "smbclient", "smbget", "rpcclient"
        ),
        regex=r"(?i:https?|xh|wget|ab|lftp|smbclient|smbget|rpcclient)\b(?!:)"
        rf"{_INSIDE}(?:-a|--auth|-A|-u|-U|--user){_BETWEEN}[^\s:%,\"'/]{{1,64}}[:%,]"
        r"""([^\s"'$\[][^\s"'`]{0,127})""",
    ),
    SecretRule(
        id="curl-login",
        what="password on a curl command line",
        keywords=("curl",),
        regex=rf"curl\b{_INSIDE}(?:-u|-U|--user|--proxy-user|-[a-zA-Z]{{1,8}}u){_BETWEEN}"
        r"""[^\s:"']{0,64}:([^\s"'$\[][^\s"'`\\]{0,127})""",
    ),
    SecretRule(
        id="curl-cookie",
        what="cookie on a curl command line",
        keywords=("curl", "wget"),
        regex=rf"(?:curl|wget)\b{_INSIDE}(?:-b|--cookie){_BETWEEN}([^\s\"'`=;]{{1,64}}=[^\s\"'`]{{4,2048}})",
    ),
    _option("archive-password", "password of an archive", "zip unzip zipcloak", "-P|--password"),
    SecretRule(
        id="archive-password-glued",
        what="password of an archive",
        keywords=_keywords("7z", "7za", "7zr", "rar", "unrar"),
        regex=rf"(?:7z[ar]?|(?:un)?rar){_INSIDE}-h?p(?:{_QUOTE})?+"
        r"""([^\s"'`$\[\\-][^\s"'`\\]{0,127})""",
    ),
    _option(
        "keystore-password",
        "password of a Java key store",
        "keytool jarsigner apksigner",
        "-storepass|-keypass|-srcstorepass|-deststorepass|-srckeypass|-destkeypass|-new|--ks-pass|--key-pass",
    ),
    _option(
        "remote-desktop-password",
        "password of a remote desktop or a management board",
        "xfreerdp wlfreerdp rdesktop vncviewer ipmitool racadm winexe evil-winrm crackmapexec psexec plink"
        " pscp"
        " psftp cadaver svn hg lpadmin",
        "--password|-password|-pw|-p(?!assword|w)|-P|/p:",
        glued=True,
    ),
    SecretRule(
        id="windows-password",
        what="password on a Windows command line",
        keywords=("net user", "net use", "cmdkey", "runas", "schtasks"),
        regex=r"(?i:net user[ \t]+\S{1,64}[ \t]+|net use[ \t]+\S{1,200}[ \t]+(?:/user:\S+[ \t]+)?"
        r"|cmdkey\b[^\n]{0,200}?/pass:|schtasks\b[^\n]{0,300}?/rp[ \t]+)"
        r"""["']?([^\s"'/$*\[][^\s"']{0,127})""",
    ),
    SecretRule(
        id="piped-password",
        what="password piped into a program that asks for one",
        keywords=("echo", "printf"),
        regex=r"(?:echo|printf)[ \t]+(?:-[neE]+[ \t]+|\\?[\"']%s(?:\\\\?n)?\\?[\"'][ \t]+)?+\\?[\"']?"
        r"""([^\s"'`$|\\\[][^"'`$|\\\n]{0,127}?)(?:\\\\?n)?\\?["']?[ \t]*\|[ \t]*"""
        r"(?:sudo[ \t]+(?:-\w+[ \t]+)*(?:-S|--stdin)|(?:sudo[ \t]+)?"
        r"(?:chpasswd|passwd|smbpasswd|kinit|cryptsetup"
        r"|su\b|vncpasswd|gpg\b[^\n]{0,200}?--passphrase-fd)"
        r"|[^\n|;&]{0,200}?--(?:password|passphrase|token)-stdin"
        r"|gh[ \t]+(?:auth[ \t]+login|secret[ \t]+set)|ssh-add|faillog)",
    ),
    SecretRule(
        id="here-string-password",
        what="password given to a program that asks for one",
        keywords=("<<<",),
        regex=r"""<<<[ \t]*(?:\\{0,3}["'])?[\w.-]{1,64}:([^\s"'`$\[][^\s"'`]{0,127})""",
    ),
    SecretRule(
        id="literal-secret",
        what="value of a secret on a command line",
        keywords=(
            "--from-literal",
            "--set-string",
            "secret set",
            "secret put",
            "kv put",
            "secrets set",
        ),
        regex=r"(?i:--from-literal|--set-string|secrets? (?:set|put)|kv put)\b[^\n;|&]{0,200}?"
        r"""(?:[\w./-]{1,80}=|(?:-b|--body|--value|--secret-string)[ =])"""
        rf"""(?:{_QUOTE})?+([^\s"'`$\[\\][^\s"'`\\]{{2,511}})""",
    ),
    SecretRule(
        id="cookie",
        what="cookie of a session",
        keywords=("cookie",),
        regex=r"""(?i:(?:set-)?cookie)["'`]{0,2}[ \t]{0,4}[:=][ \t]{0,4}"""
        r"""["'`]?([^\s"'`=;]{1,64}=[^\s"'`]{8,2048})""",
    ),
    SecretRule(
        id="key-header",
        what="credentials of a request header",
        keywords=(
            "x-api-key",
            "x-auth-token",
            "x-access-token",
            "api-key",
            "x-vault-token",
            "private-token",
            "proxy-authorization",
            "x-amz-security-token",
            "x-csrf-token",
            "x-goog-api-key",
            "ocp-apim-subscription-key",
            "x-functions-key",
            "x-auth-key",
            "authentication",
        ),
        regex=r"(?i:x-api-key|x-auth-token|x-access-token|api-key|x-vault-token|private-token"
        r"|proxy-authorization|x-amz-security-token|x-csrf-token|x-goog-api-key"
        r"|ocp-apim-subscription-key|x-functions-key|x-auth-key|authentication)"
        r"""["'`]{0,2}[ \t]{0,4}:[ \t]{0,4}["'`]?(?:(?i:basic|bearer|token)[ \t]+)?+"""
        r"""([\w.~+/=\-]{6,4096}+)(?!\])""",
    ),
    SecretRule(
        id="network-password",
        what="pass phrase of a network",
        keywords=("wpa_passphrase",),
        regex=r"""wpa_passphrase[ \t]+["']?[\w.-]{1,32}["']?[ \t]+["']?([^\s"'`$\[][^\s"'`]{7,62})""",
    ),
    _option("nmcli-password", "pass phrase of a network", "nmcli iwctl", "password|--passphrase"),
    _option(
        "snmp-password", "credentials of SNMP", "snmpwalk snmpget snmpset snmpbulkwalk", "-A|-X|-c"
    ),
)
