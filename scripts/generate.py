"""Write every file that is made from the code: schemas, reference pages, the traceability page.

python scripts/generate.py            write them
python scripts/generate.py --check    say which are stale, and fail if any is
"""

import json
import sys
from collections.abc import Iterator
from pathlib import Path

from closed_answers import closed_answers
from guard_index import programs_index, rules_index
from guard_packs import guard_choices, guard_packs
from guard_rules import guard_rules
from plugins import plugin_files
from price_list import price_list
from reference import pages
from reference_sdks import sdks_page
from settings_schema import settings_schema
from traceability import traceability

from snaphook.canon.schema import schemas

ROOT = Path(__file__).parent.parent


def generated() -> Iterator[tuple[Path, str]]:
    """Yield each generated file and what it should hold."""
    for name, schema in schemas().items():
        yield ROOT / "schemas" / name, json.dumps(schema, indent=2) + "\n"
    schema_of_settings = json.dumps(settings_schema(), indent=2) + "\n"
    yield ROOT / "schemas" / "settings.schema.json", schema_of_settings
    yield (
        ROOT / "src/snaphook/config/settings.schema.json",
        schema_of_settings,
    )  # for 'snaphook schema'
    for page, text in pages():
        yield ROOT / "docs" / page, text
    package = ROOT / "src" / "snaphook"
    yield package / "providers" / "guard" / "rules_index.py", rules_index()
    yield package / "shell" / "programs_index.py", programs_index()
    yield package / "prices" / "listed.json", price_list()
    yield ROOT / "docs" / "reference" / "guard-rules.md", guard_rules()
    yield ROOT / "docs" / "reference" / "guard-packs.md", guard_packs()
    yield ROOT / "docs" / "how-to" / "guard-choices.md", guard_choices()
    yield ROOT / "docs" / "reference" / "sdks.md", sdks_page()
    yield ROOT / "native" / "closed.h", closed_answers()
    yield ROOT / "docs" / "traceability.md", traceability()
    yield from plugin_files()


def main() -> int:
    """Write or check, as the command line says; return the exit status."""
    check = "--check" in sys.argv[1:]
    stale = [
        (path, text)
        for path, text in generated()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    for path, text in stale:
        shown = path.relative_to(ROOT)
        if check:
            print(f"{shown}: stale. Run 'make generate'.")
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
            if text.startswith("#!"):
                path.chmod(0o755)
            print(f"{shown}: written.")
    return int(check and bool(stale))


if __name__ == "__main__":
    sys.exit(main())
