"""files: where the secrets of a file are, without telling them."""

import pytest

from snaphook.scrub import SecretMatch, load_salt, scan_file_for_secrets

TOKEN = "ghp_" + "a1B2" * 9


@pytest.mark.req("SQ-3")
def test_secrets_are_told_by_line_and_column(tmp_path):
    file = tmp_path / "notes.md"
    file.write_text(f"# Notes\n\nüber: {TOKEN}\npostgres://user:s3cret@db/x\n")

    assert scan_file_for_secrets(file) == [
        SecretMatch(line=3, column=7, type="github-pat", preview="ghp_… (40 characters)"),
        SecretMatch(line=4, column=17, type="url-credentials", preview="s… (6 characters)"),
    ]


@pytest.mark.parametrize("content", [b"", b"# Notes\nnothing here\n", b"\xff\xfe\x00binary"])
def test_a_clean_file_has_none(tmp_path, content):
    file = tmp_path / "clean"
    file.write_bytes(content)

    assert scan_file_for_secrets(str(file)) == []


def test_a_file_that_cannot_be_read_is_not_a_clean_one(tmp_path):
    with pytest.raises(FileNotFoundError):
        scan_file_for_secrets(tmp_path / "missing")


def test_a_salt_is_made_once_and_kept_private(tmp_path):
    path = tmp_path / "state" / "salt"

    salt = load_salt(path)

    assert load_salt(path) == salt
    assert len(salt) == 32
    assert path.stat().st_mode & 0o777 == 0o600
    assert [each.name for each in path.parent.iterdir()] == ["salt"]


@pytest.mark.parametrize("damage", [b"", b"short", b"x" * 100])
def test_a_damaged_salt_is_moved_aside_and_made_anew(tmp_path, damage):
    path = tmp_path / "salt"
    path.write_bytes(damage)

    salt = load_salt(path)

    assert load_salt(path) == salt
    assert (tmp_path / "salt.damaged").read_bytes() == damage
