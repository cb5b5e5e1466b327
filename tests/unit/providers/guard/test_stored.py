"""One text is judged one way, wherever it is stored."""

import pytest

from snaphook.providers.guard import GuardAnswer, StillWorld, examine

FILES = {
    "reset.sh": "#!/bin/sh\nrm -rf src\n",
    "wipe.py": 'import shutil\nshutil.rmtree("src")\n',
    "tool/__main__.py": 'import shutil\nshutil.rmtree("src")\n',
    "wipe.js": 'const os = require("os");\nrequire("fs").rmSync(os.homedir(), {recursive: true})\n',
    "drop.sql": "DROP TABLE users;\n",
    "rows.sql": "SELECT 1;\n",
    "reset_db.py": "from app import db\ndb.drop_all()\n",
    "build.sh": '#!/bin/sh\ncd "$(dirname "$0")"\nrm -rf build\nnpm run build\n',
    "package.json": '{"scripts": {"a": "npm run b", "b": "rm -rf src"}}',
    "Makefile": "D = src\nnuke:\n\trm -rf $(D)\n",
    "src/app.py": "print(1)\n",
}
WORLD = StillWorld(files={f"/home/me/project/{name}": text for name, text in FILES.items()})


@pytest.mark.parametrize(
    "command",
    [
        "bash reset.sh",
        "./reset.sh",
        "source reset.sh",
        "python3 wipe.py",
        "python3 -m wipe",
        "python3 -m tool",
        "coverage run wipe.py",
        "python3 -m coverage run wipe.py",
        "python3 -c 'import wipe'",
        "python3 -c \"exec(open('wipe.py').read())\"",
        "python3 -c \"import runpy; runpy.run_path('wipe.py')\"",
        "node wipe.js",
        "npm run a",
        "make nuke",
        "psql -f drop.sql",
        "psql < drop.sql",
        "cat drop.sql | psql",
        "sqlite3 app.db < drop.sql",
        "sqlite3 app.db '.read drop.sql'",
        "mysql -e 'source drop.sql'",
        "psql -c '\\i drop.sql'",
        "python3 manage.py dbshell < drop.sql",
        "python3 reset_db.py",
    ],
)
def test_code_on_disk_is_judged_like_code_on_the_command_line(command):
    assert examine(command, WORLD).answer >= GuardAnswer.ASK


@pytest.mark.parametrize("command", ["bash build.sh", "psql -f rows.sql", "psql < rows.sql"])
def test_a_script_that_does_no_harm_runs(command):
    assert examine(command, WORLD).answer is GuardAnswer.ALLOW
