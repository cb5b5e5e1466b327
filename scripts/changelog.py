"""Print the changelog of one release, or check that a tag may be released.

python3 scripts/changelog.py v1.2.3            the section, for the release's page
python3 scripts/changelog.py --check v1.2.3    fails unless tag, version and changelog agree

Standard library only: it runs before anything is installed.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent


def section(version: str) -> str | None:
    """Return what the changelog says about *version*, without its heading."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    found = re.search(
        rf"^## {re.escape(version)}(?![\w.]).*?$(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL
    )
    return found[1].strip() if found else None


def problems(tag: str) -> list[str]:
    """Return what keeps *tag* from being released."""
    package = (ROOT / "src/snaphook/__init__.py").read_text(encoding="utf-8")
    version = re.search(r'^__version__ = "(.+)"$', package, re.MULTILINE)
    assert version is not None
    found = []
    if tag != f"v{version[1]}":
        found.append(f"tag {tag!r} is not v{version[1]}, the version in src/snaphook/__init__.py")
    if not section(tag.removeprefix("v")):
        found.append(f"CHANGELOG.md has no section '## {tag.removeprefix('v')}'")
    return found


def main(words: list[str]) -> int:
    """Print or check, as the command line says."""
    tags = [word for word in words if not word.startswith("-")]
    if len(tags) != 1:
        print("usage: changelog.py [--check] vX.Y.Z", file=sys.stderr)
        return 2
    if "--check" in words:
        for problem in problems(tags[0]):
            print(f"release: {problem}", file=sys.stderr)
        return 1 if problems(tags[0]) else 0
    text = section(tags[0].removeprefix("v"))
    print(text or f"No changelog for {tags[0]}.")
    return 0 if text else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
