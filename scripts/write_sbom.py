"""Write a bill of materials (CycloneDX) for what ``pip install snaphook`` installs.

a fresh environment with the newest wheel in dist/  ->  dist/snaphook-<version>.cdx.json
"""

import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
DIST = ROOT / "dist"


def main() -> int:
    """Install the wheel of this machine, list what came with it."""
    wheels = sorted(DIST.glob("*manylinux*x86_64*.whl"), key=lambda file: file.stat().st_mtime)
    if not wheels:
        print("write_sbom.py: no wheel in dist/. Run 'make wheels' first.", file=sys.stderr)
        return 1
    version = wheels[-1].name.split("-")[1]
    target = DIST / f"snaphook-{version}.cdx.json"
    with tempfile.TemporaryDirectory() as folder:
        uv = [sys.executable, "-m", "uv", "--quiet"]
        subprocess.run([*uv, "venv", folder, "--clear"], check=True)
        python = f"{folder}/bin/python"
        subprocess.run([*uv, "pip", "install", "--python", python, str(wheels[-1])], check=True)
        listing = [sys.executable, "-m", "cyclonedx_py", "environment", python]
        subprocess.run([*listing, "--output-reproducible", "-o", str(target)], check=True)
    print(f"{target.relative_to(ROOT)}: written.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
