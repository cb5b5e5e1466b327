"""A blocked call sent elsewhere: the code goes over channels that leave the machine, and is never on disk."""

import asyncio
import time

import pytest
from tests.servers.listener import listening
from tests.unit.stores.overrides.test_active import CALL

from snaphook.config import Environment
from snaphook.daemon.overrides.notifier import Notifier
from snaphook.stores.overrides.recent import RecentCall

KEPT = RecentCall(number=3, time=1.0, call=CALL)


async def _told(around, until):
    """Tell of a stop and go on until *until* is so; return the codes that were made."""
    made: list[str] = []

    def make(_number: int) -> str:
        made.append("K7QM-4TZP")
        return made[-1]

    notifier = Notifier(make)
    notifier(KEPT, around)
    end = time.monotonic() + 20
    while not until(notifier) and time.monotonic() < end:  # noqa: ASYNC110 - a thread tells
        await asyncio.sleep(0.01)
    return made


def _settled(tmp_path, channel):
    file = tmp_path / ".config/snaphook/snaphook.toml"
    file.parent.mkdir(parents=True)
    file.write_text(channel)
    return Environment(cwd=tmp_path, home=tmp_path, env={}, managed=tmp_path / "etc")


@pytest.mark.req("BB-PT-8")
def test_the_phone_hears_of_a_stop_with_a_code_that_no_file_holds(tmp_path):
    with listening() as phone:
        around = _settled(
            tmp_path,
            f'[notify.channels.phone]\ntype = "webhook"\nurl = "{phone.url}"\nevents = ["denied"]\n',
        )

        asyncio.run(_told(around, lambda _: phone.heard))

        assert "snaphook allow 3 --once --code K7QM-4TZP" in phone.heard[0].body.decode()
    files = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert [path for path in files if b"K7QM" in path.read_bytes()] == []


@pytest.mark.parametrize(
    "channel",
    [
        pytest.param("", id="no channel"),
        pytest.param(
            '[notify.channels.a]\ntype = "desktop"\nevents = ["denied"]\n', id="the screen"
        ),
        pytest.param(
            '[notify.channels.a]\ntype = "webhook"\nurl = "http://127.0.0.1:9"\n',
            id="not asked for",
        ),
    ],
)
def test_no_code_is_made_where_nobody_elsewhere_would_see_it(channel, tmp_path):
    around = _settled(tmp_path, channel)

    assert asyncio.run(_told(around, lambda notifier: notifier._silent)) == []
