"""The check digits that tell a card or an account from any other number. Pure."""

_CARDS = (
    (("4",), (13, 16, 19)),
    (tuple(str(n) for n in range(51, 56)), (16,)),
    (tuple(str(n) for n in range(2221, 2721)), (16,)),
    (("34", "37"), (15,)),
    (("6011", "65", *(str(n) for n in range(644, 650))), (16,)),
    (tuple(str(n) for n in range(3528, 3590)), (16,)),
    (("36", "38", *(str(n) for n in range(300, 306))), (14,)),
    (("62",), (16, 17, 18, 19)),
)
"""How the numbers of each network begin, and how long they are."""

_IBAN_LENGTHS = {
    "AD": 24,
    "AE": 23,
    "AL": 28,
    "AT": 20,
    "AZ": 28,
    "BA": 20,
    "BE": 16,
    "BG": 22,
    "BH": 22,
    "BR": 29,
    "BY": 28,
    "CH": 21,
    "CR": 22,
    "CY": 28,
    "CZ": 24,
    "DE": 22,
    "DK": 18,
    "DO": 28,
    "EE": 20,
    "EG": 29,
    "ES": 24,
    "FI": 18,
    "FO": 18,
    "FR": 27,
    "GB": 22,
    "GE": 22,
    "GI": 23,
    "GL": 18,
    "GR": 27,
    "GT": 28,
    "HR": 21,
    "HU": 28,
    "IE": 22,
    "IL": 23,
    "IQ": 23,
    "IS": 26,
    "IT": 27,
    "JO": 30,
    "KW": 30,
    "KZ": 20,
    "LB": 28,
    "LC": 32,
    "LI": 21,
    "LT": 20,
    "LU": 20,
    "LV": 21,
    "LY": 25,
    "MC": 27,
    "MD": 24,
    "ME": 22,
    "MK": 19,
    "MR": 27,
    "MT": 31,
    "MU": 30,
    "NL": 18,
    "NO": 15,
    "PK": 24,
    "PL": 28,
    "PS": 29,
    "PT": 25,
    "QA": 29,
    "RO": 24,
    "RS": 22,
    "SA": 24,
    "SC": 31,
    "SE": 24,
    "SI": 19,
    "SK": 24,
    "SM": 27,
    "ST": 25,
    "SV": 28,
    "TL": 23,
    "TN": 24,
    "TR": 26,
    "UA": 29,
    "VA": 22,
    "VG": 24,
    "XK": 20,
}


def is_card(number: str) -> bool:
    """Say whether *number*, digits only, is one a card could carry."""
    return any(
        len(number) in lengths and number.startswith(starts) for starts, lengths in _CARDS
    ) and _luhn(number)


def _luhn(number: str) -> bool:
    digits = [int(digit) for digit in reversed(number)]
    doubled = sum(sum(divmod(2 * digit, 10)) for digit in digits[1::2])
    return (sum(digits[::2]) + doubled) % 10 == 0


def iban_length(country: str) -> int:
    """Return how long an account number of *country* is; 0 where there are none."""
    return _IBAN_LENGTHS.get(country, 0)


def is_iban(number: str) -> bool:
    """Say whether *number*, without spaces, is an international account number."""
    if len(number) != iban_length(number[:2]):
        return False
    moved = number[4:] + number[:4]
    return int("".join(str(int(sign, 36)) for sign in moved)) % 97 == 1


def is_public_address(address: str) -> bool:
    """Say whether an IPv4 *address* belongs to someone: not private, local, reserved or made up."""
    parts = [int(part) for part in address.split(".")]
    if len(parts) != 4 or max(parts) > 255 or any(p[0] == "0" < p[1:] for p in address.split(".")):
        return False
    match parts:
        case [0 | 10 | 127, *_] | [192, 168, *_] | [169, 254, *_]:
            return False
        case [100, second, *_] if 64 <= second <= 127:
            return False
        case [172, second, *_] if 16 <= second <= 31:
            return False
        case [192, 0, 0 | 2, _] | [198, 18 | 19, *_] | [198, 51, 100, _] | [203, 0, 113, _]:
            return False
        case _:
            return parts[0] < 224 and parts[1:] != [0, 0, 0]
