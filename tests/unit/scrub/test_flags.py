"""flags: passwords on real command lines, in the forms in which agents hand them on."""

import json
import shlex
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

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
SEVERAL = [
    "curl -u a:{0} --proxy-user b:{1} https://x.test",
    "curl --pass {0} --cert me.pem -U b:{1} --oauth2-bearer {2} https://x.test",
    "curl https://x.test?a=1 -ua:{0} -b sid={1} --cookie 'other={2}'",
    "mysqldump -p{0} a | mysql -h b -p{1} a",
    "mysql -e 'select 1; select 2' -u root -p{0} && mysql --password={1}",
    "sshpass -p {0} ssh a@b sshpass -p {1} ssh c@d",
    "sshpass -p{0} scp x y 2>&1 | sshpass -p {1} ssh z",
    "kubectl create secret generic s --from-literal=a={0} --from-literal=b={1}",
    "fly secrets set FIRST={0} SECOND={1}",
    "heroku config:set FIRST={0} SECOND={1} -a app",
    "openssl pkcs12 -export -passin pass:{0} -passout pass:{1}",
    "openssl pkcs12 -in x -password {0} -passout {1}",
    "keytool -importkeystore -srcstorepass {0} -deststorepass {1} -destkeypass {2}",
    "smbclient -U a%{0} //x/y; smbclient -U b%{1} //x/z",
    "docker login -u a -p {0} x.test && docker login -u b --password {1} y.test",
    "ssh-keygen -p -P {0} -N {1} -f key",
    "mosquitto_pub -u a -P {0} -t x; mosquitto_sub -u b -P {1} -t x",
    "wget --http-password={0} --ftp-password {1} --proxy-password={2} x",
    "snmpget -v3 -A {0} -X {1} host x",
    "unzip -P {0} a.zip && 7z x -p{1} b.7z",
    "restic --password {0} -r x; gpg --batch --passphrase {1} -d y",
    "tool --db-password {0} --admin-token={1} --client-secret '{2}'",
]
LINES = [
    "mysql -h db \\\n  -u root \\\n  -p{0} \\\n  app",
    "curl \\\n  -u a:{0} \\\n  --proxy-user b:{1} \\\n  https://x.test",
    "sshpass \\\n -p \\\n {0} ssh a@b",
    "docker login ^\r\n  -u me ^\r\n  -p {0} x.test",
    "sqlcmd -S db `\n  -U sa `\n  -P {0}",
    "redis-cli -h x \\\n-a {0} ping",
]
PASSWORDS = ("Hunter2xyz", "S3cond-pass!", "th1rdOne_9")
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


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize(
    "form", ["plain", "prose", "next line", "json", "json in json", "markdown"]
)
@pytest.mark.parametrize("command", [*SEVERAL, *LINES])
def test_every_option_of_a_command_counts_also_on_continued_lines(command: str, form: str):
    once = SCRUBBER.text(FORMS[form](command.format(*PASSWORDS)))

    used = [word for place, word in enumerate(PASSWORDS) if f"{{{place}}}" in command]
    assert [word for word in used if word in once] == []
    assert SCRUBBER.text(once) == once


def test_a_command_in_the_second_line_of_a_json_string_is_one():
    text = json.dumps({"command": "cd /tmp\nmysql -pHunter2xyz db\nsshpass -p Hunter2xyz ssh a@b"})

    assert PASSWORD not in SCRUBBER.text(text)


@pytest.mark.parametrize(
    "text",
    [
        "mysql -e 'show tables' -P 3306",
        "cargo build -p snaphook --features api",
        "mkdir -p src/app && cp -p a b",
        "ssh -p 2222 host; scp -P 2222 a b",
        "docker run -p 8080:80 nginx",
        "curl -sS -u $USER:$PASS https://x.test",
        "git log -p --since=1w",
        "nc -l -p 9000",
        "psql -U app -p 5433 db",
        "http PUT x.test -v a=1",
        "find . -name '*.key' -print",
        "kubectl get pods --token-ttl 5",
        "python -m pytest -p no:cacheprovider",
    ],
)
def test_other_options_with_the_same_letter_stay(text: str):
    assert SCRUBBER.text(text) == text


@settings(max_examples=thorough(300, 60), deadline=None)
@given(
    st.lists(
        st.sampled_from([*COMMANDS, *SEVERAL, *LINES]) | st.text(max_size=12),
        min_size=1,
        max_size=4,
    ),
    st.sampled_from(["\n", " ", "; ", "', '", "\\n", "="]),
    st.lists(
        st.sampled_from([*PASSWORDS, "a@b.org", "[EMAIL:0123abcd]", "x"]), min_size=3, max_size=3
    ),
)
def test_scrubbing_twice_is_scrubbing_once(pieces: list[str], between: str, values: list[str]):
    text = between.join(
        piece.format(*values) if piece in {*COMMANDS, *SEVERAL, *LINES} else piece
        for piece in pieces
    )

    once = SCRUBBER.text(text)

    assert SCRUBBER.text(once) == once
    assert SCRUBBER.find(once) == []
