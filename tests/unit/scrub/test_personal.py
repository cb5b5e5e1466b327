"""personal: addresses and numbers that belong to people, and those that do not."""

import pytest

from snaphook.scrub import Scrubber

SCRUBBER = Scrubber(secrets=False, salt=b"salt")


def kinds(text):
    raw = text.encode()
    return [(each.kind, raw[each.start : each.end].decode()) for each in SCRUBBER.find(text)]


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("mail ada@example.org.", [("email", "ada@example.org")]),
        ("<first.last+tag@sub.example.co.uk>", [("email", "first.last+tag@sub.example.co.uk")]),
        ("münchen@exämple.de", [("email", "münchen@exämple.de")]),
        ("a@b.com@c.org", [("email", "a@b.com")]),
        ("call +49 30 901820", [("phone", "+49 30 901820")]),
        ("(415) 555-2671", [("phone", "(415) 555-2671")]),
        ("415-555-2671", [("phone", "415-555-2671")]),
        ("1-415-555-2671", [("phone", "1-415-555-2671")]),
        ("tel:+14155552671", [("phone", "+14155552671")]),
        ("card 4111 1111 1111 1111", [("card", "4111 1111 1111 1111")]),
        ("card 4111-1111-1111-1111.", [("card", "4111-1111-1111-1111")]),
        ("378282246310005", [("card", "378282246310005")]),
        ("5555555555554444", [("card", "5555555555554444")]),
        ("DE89 3704 0044 0532 0130 00", [("iban", "DE89 3704 0044 0532 0130 00")]),
        ("GB82WEST12345698765432 now", [("iban", "GB82WEST12345698765432")]),
        ("ssn 123-45-6789", [("ssn", "123-45-6789")]),
        ("from 8.8.8.8:53", [("ip", "8.8.8.8")]),
        ("2606:4700:4700::1111", [("ip", "2606:4700:4700::1111")]),
        ("2001:db8:0:0:0:ff00:42:8329", [("ip", "2001:db8:0:0:0:ff00:42:8329")]),
    ],
)
def test_personal_data_is_found(text, found):
    assert kinds(text) == found


@pytest.mark.parametrize(
    "text",
    [
        "icon@2x.png",
        "git@github.com:org/repo.git",
        "@app.route('/x')",
        "user@localhost",
        "npm i left-pad@1.3.0",
        "4111 1111 1111 1112",
        "4111111111111111abc",
        "x4111111111111111",
        "1700000000000",
        "DE89 3704 0044 0532 0130 01",
        "XX89 3704 0044 0532 0130 00",
        "000-12-3456",
        "123-45-67890",
        "127.0.0.1 10.1.2.3 192.168.0.1 172.16.0.1 169.254.1.1 0.0.0.0 255.255.255.255",
        "192.0.2.1 198.51.100.7 203.0.113.9",
        "v1.2.3.4 and 1.2.3.4.5 and 256.1.1.1",
        "fe80::1 and std::vector and ::1",
        "2024-01-15 10:30:00.123456",
        "2024-01-15T10:30:00+00:00",
        "255 128 1024 4096",
        "550e8400-e29b-41d4-a716-446655440000",
        "0.1234567890123456",
        "+1",
        "lines 100-200, 300-4000",
        "",
    ],
)
def test_what_merely_looks_alike_stays(text):
    assert kinds(text) == []


@pytest.mark.parametrize("count", [10, 5_000])
def test_few_numbers_and_many_are_searched_to_the_same_end(count):
    text = "7 x " * count + "call +49 30 901820, " + "12 34 x" * count

    assert kinds(text) == [("phone", "+49 30 901820")]
