"""Take the pictures of the dashboard that the docs show.

two scripted weeks of a team  ->  snaphook ui, in Chromium  ->  docs/images/ui-*.png

Nothing leaves this machine, and the weeks are always the same ones. Look at every picture before you
commit it.
"""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from playwright.sync_api import Page, sync_playwright  # noqa: E402
from tests.web.chromium import program  # noqa: E402
from tests.web.sample import records, spend, write_record  # noqa: E402
from tests.web.workshop import build, queue_up, remember  # noqa: E402

IMAGES = ROOT / "docs" / "images"
WIDE, PHONE = {"width": 1400, "height": 900}, {"width": 390, "height": 844}
ROWS = {"first": ".row-link", "agents": "tr:has(td:nth-child(7):not(:has-text('–'))) .row-link"}
"""Which row of a list is opened: the first, or the first session that has subagents."""
SETTINGS = "[budget.day]\ndollars = 25\n\n[budget.month]\ndollars = 600\n"


def prepare(home: Path) -> dict[str, str]:
    """Fill *home* with two weeks and return the environment in which they are seen."""
    env = {
        **os.environ,
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_RUNTIME_DIR": str(home),
        "SNAPHOOK_NO_DAEMON": "1",
    }
    now, data, project = time.time(), home / "data" / "snaphook", home / "shop-api"
    project.mkdir(parents=True)
    (home / "config" / "snaphook").mkdir(parents=True)
    (home / "config" / "snaphook" / "snaphook.toml").write_text(SETTINGS)
    write_record(data / "log", list(records(now)))
    spend(data, "/home/ada", now)
    build(project, now)
    queue_up(project)
    remember(data, str(project), now)
    return env


def shoot(address: str) -> None:
    """Take every picture."""
    with sync_playwright() as play:
        browser = play.chromium.launch(executable_path=program(), args=["--no-sandbox"])
        for name, view, scheme, size in (
            ("overview", "/", "light", WIDE),
            ("overview-dark", "/?period=7d", "dark", WIDE),
            ("feed", "/feed", "dark", WIDE),
            ("decision", "first of /feed?verdict=stopped", "light", WIDE),
            ("session", "agents of /sessions?only=stopped", "light", WIDE),
            ("builder", "first of /jobs", "light", WIDE),
            ("queue", "/queue", "dark", WIDE),
            ("cost", "/cost", "light", WIDE),
            ("memory", "/memory?q=how+are+the+tests+run", "light", WIDE),
            ("audit", "/audit", "light", WIDE),
            ("phone", "/", "dark", PHONE),
        ):
            page = browser.new_page(viewport=size, color_scheme=scheme, base_url=address)
            take(page, view, IMAGES / f"ui-{name}.png")
            page.close()
        browser.close()


def take(page: Page, view: str, file: Path) -> None:
    """Open *view* and take its picture; ``first of`` opens the first row of a list, and so on."""
    which, _, address = view.rpartition(" of ")
    page.goto(address)
    if row := ROWS.get(which):
        page.goto(str(page.get_attribute(row, "href")))
    page.wait_for_timeout(600)
    if address == "/audit":
        page.wait_for_selector(".proof.is-ok", timeout=30_000)
    page.screenshot(path=file)
    print(file.relative_to(ROOT))


def main() -> int:
    """Start the dashboard, take the pictures, stop it."""
    with tempfile.TemporaryDirectory(prefix="snaphook-ui-") as folder:
        env = prepare(Path(folder))
        ui = subprocess.Popen(
            [str(Path(sys.executable).parent / "snaphook"), "ui", "--port", "0", "--no-open"],
            cwd=Path(folder) / "shop-api",
            env=env,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert ui.stdout is not None
        try:
            address = ui.stdout.readline().split()[-1]
            time.sleep(3)  # the copy of the record is made
            shoot(address)
        finally:
            ui.terminate()
            ui.wait(10)
    return 0


if __name__ == "__main__":
    sys.exit(main())
