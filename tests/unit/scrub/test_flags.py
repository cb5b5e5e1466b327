"""flags: passwords on real command lines, in the forms in which agents hand them on."""

import json
import shlex
from collections.abc import Callable, Mapping

import pytest

from snaphook.scrub import Scrubber

SCRUBBER = Scrubber(salt=b"salt")
PASSWORD = "Hunter2xyz"
COMMANDS = [
    "sshpass -p {} ssh a@b",
    "sshpass -p '{}' ssh a@b",
    "sshpass -p{} ssh a@b",
    "mysql -u root -p{} db",
    "mysql -uroot -p'{}'",
    "mysql.exe --password={}",
    'mysql --password="{}" db',
    "/usr/bin/mysqldump -h db --password {}",
    "redis-cli -h cache -a {} ping",
    "docker login -u me -p {} registry.test",
    "helm repo add x http://y.test --username me --password {}",
    "az login -u me -p {}",
    "mongosh -u me -p {}",
    "sqlcmd -S db -U sa -P{}",
    "sqlplus scott/{}@db",
    'sqlplus -s scott/"{}"@db',
    "htpasswd -b users me {}",
    "htpasswd -b -c users me '{}'",
    "htpasswd -bBC 12 users me {}",
    "htpasswd -nb me {}",
    "htpasswd -n -b me {} > users",
    'htpasswd -b "users" "me" "{}"',
    "openssl enc -aes256 -k {}",
    'ssh-keygen -t ed25519 -N "{}"',
    "ldapsearch -D cn=me -w {}",
    "smbclient //a/b -U me%{}",
    "curl -su me:{} http://x.test",
    'curl --user "me:{}" http://x.test',
    "curl --proxy-user 'me:{}' http://x.test",
    "unzip -P {} a.zip",
    "7z a -p{} a.7z",
    "7z x -p'{}' a.7z",
    "unrar x -hp{} a.rar",
    "keytool -list -storepass {}",
    "xfreerdp /u:me /p:{}",
    'snmpget -v3 -A "{}" host',
]
FORMS: Mapping[str, Callable[[str], str]] = {
    "plain": str,
    "prose": "500 {} failed twice.".format,
    "next line": "{}\n0 files\n".format,
    "json": lambda command: json.dumps({"command": command, "description": "a b"}),
    "json in json": lambda command: json.dumps(json.dumps({"command": command, "timeout": 5})),
    "list": lambda command: json.dumps(shlex.split(command)),
    "dense list": lambda command: json.dumps(shlex.split(command), separators=(",", ":")),
    "python list": lambda command: repr(shlex.split(command)),
    "markdown": "Run `{}` now, please".format,
}


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_password_on_a_command_line_is_gone_and_its_placeholder_stays(command: str, form: str):
    once = SCRUBBER.text(FORMS[form](command.format(PASSWORD)))

    assert PASSWORD not in once
    assert SCRUBBER.text(once) == once


@pytest.mark.parametrize(
    "text",
    [
        "curl -u [REDACTED:anthropic-api-key:217bf2d0]: http://x.test",
        "http -a [EMAIL:217bf2d0]: http://x.test",
        "htpasswd -b users [REDACTED:htpasswd-password:217bf2d0]\n0 files",
        "mysql -p=[REDACTED:database-password:217bf2d0]",
        "X-Api-Key: bearer [REDACTED:key-header:217bf2d0]",
        "printf -n [REDACTED:piped-password:217bf2d0] | sudo -S ls",
    ],
)
def test_a_placeholder_is_never_part_of_a_finding(text: str):
    assert SCRUBBER.find(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "mysql -p db.sql\nsecond line",
        "htpasswd -b users\nme Hunter2xyz",
        "curl http://x.test, -unless you want",
        'sshpass -p "$PW" ssh a@b',
    ],
)
def test_what_gives_no_password_stays(text: str):
    assert SCRUBBER.text(text) == text
