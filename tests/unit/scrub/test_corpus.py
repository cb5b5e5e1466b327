"""What is no secret stays: code, lock files, hashes, identifiers, settings, prose."""

import random
import sysconfig
import uuid
from base64 import b64encode
from hashlib import sha1, sha256, sha512
from pathlib import Path

import pytest

from snaphook.scrub import Scrubber

SECRETS = Scrubber(personal=False)
DICE = random.Random(7)


def _bytes(size: int) -> bytes:
    return DICE.randbytes(size)


LOCKS = {
    "package-lock.json": "".join(
        f'    "node_modules/p{n}": {{\n      "version": "{n}.2.3",\n'
        f'      "resolved": "https://registry.example/p{n}/-/p{n}-{n}.2.3.tgz",\n'
        f'      "integrity": "sha512-{b64encode(sha512(_bytes(9)).digest()).decode()}"\n    }},\n'
        for n in range(200)
    ),
    "poetry.lock": "".join(
        f'    {{file = "pkg-{n}.0-py3-none-any.whl", hash = "sha256:{sha256(_bytes(9)).hexdigest()}"}},\n'
        for n in range(200)
    ),
    "Cargo.lock": "".join(
        f'[[package]]\nname = "crate-{n}"\nversion = "0.{n}.0"\n'
        f'checksum = "{sha256(_bytes(9)).hexdigest()}"\n'
        for n in range(200)
    ),
    "go.sum": "".join(
        f"example.com/m{n} v1.{n}.0 h1:{b64encode(sha256(_bytes(9)).digest()).decode()}\n"
        for n in range(200)
    ),
    "git log": "".join(
        f"commit {sha1(_bytes(9), usedforsecurity=False).hexdigest()}\n    Fix the token parser\n"
        for _ in range(200)
    ),
    "UUIDs": "\n".join(
        f'{{"id": "{uuid.UUID(bytes=_bytes(16))}", "token_id": "{uuid.UUID(bytes=_bytes(16))}"}}'
        for _ in range(200)
    ),
    "Docker digests": "\n".join(
        f"image: app@sha256:{sha256(_bytes(9)).hexdigest()}" for _ in range(200)
    ),
}


@pytest.mark.parametrize("text", LOCKS.values(), ids=LOCKS)
def test_hashes_and_identifiers_are_no_secrets(text):
    assert SECRETS.text(text) is text


@pytest.mark.parametrize(
    "line",
    [
        "password: str",
        "password: SecretStr = Field(min_length=8)",
        "def login(user, password=None, token=None):",
        "login(user, password=password, token=self.token)",
        "password = getpass.getpass()",
        'password = os.environ["DB_PASSWORD"]',
        "const token = await getToken(request);",
        "if (token === undefined) return;",
        "export API_KEY=${API_KEY}",
        "API_KEY=$(cat key)",
        "api_key: <your-api-key>",
        'api_key = "YOUR_API_KEY_HERE"',
        'api_key="xxxxxxxxxxxxxxxxxxxxxxxx"',
        'token_type: "Bearer"',
        'token_url = "https://example.com/oauth/token"',
        'password_field = "passwd"',
        'secret_name = "app-database"',
        "secretKeyRef:\n  name: app\n  key: password",
        '<input type="password" name="pw" autocomplete="current-password">',
        "max_tokens=4096, token_count: 128000",
        "tokens: list[Token]",
        "pad_token_id = 50256",
        "the secret of good code: simple parts",
        "Use a Bearer token. See the authorization section: basic concepts first.",
        "PWD=/home/user/project",
        "curl -u $USER:$PASSWORD https://example.com",
        "https://user:$PASSWORD@example.com",
        "https://example.com:8080/path@2x",
        "algorithm: sha256, key: base64, hmac-sha512",
        "task-force sk-learn risk-free ask-me",
        "from together import linear, monday, drone, segment",
        "password_hash = pbkdf2_sha256.hash(password)",
        "RUN --mount=type=secret,id=npm npm ci",
        "assert token == expected_token",
        "PASSWORD_MIN_LENGTH=12",
        "secrets: inherit",
        "token: ${{ secrets.GITHUB_TOKEN }}",
        "private_key_path: /etc/ssl/key.pem",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQC7 ada@host",
    ],
)
def test_code_that_mentions_secrets_is_left_alone(line):
    assert SECRETS.text(line) is line


def test_a_standard_library_holds_next_to_none():
    files = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("*.py"))
    texts = [path.read_text(encoding="utf-8", errors="replace") for path in files]
    size = sum(map(len, texts))

    found = [(path.name, SECRETS.find(text)) for path, text in zip(files, texts, strict=True)]

    assert size > 3_000_000
    assert [(name, findings) for name, findings in found if findings] == []
