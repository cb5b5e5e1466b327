"""The tests of an SDK that is not installed are left out, unless everything was promised."""

from importlib.util import find_spec

from tests.thorough import EVERYTHING

from snaphook.bridges.table import SDKS

collect_ignore = [
    f"test_{sdk.module}.py"
    for sdk in SDKS.values()
    if find_spec(sdk.package) is None and not EVERYTHING
]
