"""bridges/now: waiting from code that does not wait."""

import asyncio
import subprocess
import sys
from contextvars import ContextVar
from threading import current_thread
from typing import Any

import pytest

from snaphook.bridges.run_sync import in_caller_thread, run_sync, waited

WHO: ContextVar[str] = ContextVar("who", default="nobody")


async def loop() -> asyncio.AbstractEventLoop:
    return asyncio.get_running_loop()


def test_all_that_is_waited_for_shares_a_loop():
    assert run_sync(loop()) is run_sync(loop())


async def test_a_thread_with_a_loop_of_its_own_may_wait_too():
    assert run_sync(loop()) is not asyncio.get_running_loop()


def test_what_runs_on_the_shared_loop_may_wait_as_well():
    async def outer() -> str:
        return run_sync(asyncio.sleep(0, "inner"))

    assert run_sync(outer()) == "inner"


def test_a_lent_function_runs_where_it_was_lent_from_and_knows_what_its_caller_knows():
    async def work() -> tuple[str, str]:
        WHO.set("work")
        return await in_caller_thread(lambda: (current_thread().name, WHO.get()))()

    assert run_sync(work()) == (current_thread().name, "work")
    assert WHO.get() == "nobody"


@pytest.mark.parametrize("problem", [ValueError("broke"), StopIteration("broke")])
def test_what_a_lent_function_raises_is_raised_where_it_is_waited_for(problem):
    def breaks() -> None:
        raise problem

    async def work() -> str:
        try:
            await in_caller_thread(breaks)()
        except (ValueError, RuntimeError) as caught:
            return f"{caught.__cause__ or caught}"
        return "nothing"

    assert run_sync(work()) == "broke"


def test_a_person_who_interrupts_ends_the_waiting_and_the_work():
    ended = []

    def interrupted() -> None:
        raise KeyboardInterrupt

    async def work() -> None:
        try:
            await in_caller_thread(interrupted)()
        finally:
            ended.append("work")

    with pytest.raises(KeyboardInterrupt):
        run_sync(work())
    run_sync(asyncio.sleep(0))

    assert ended == ["work"]


def test_a_twin_lends_the_functions_it_is_given():
    class Doubled:
        async def aask(self, name: str, handler: Any) -> Any:
            """Ask."""
            return await handler(name)

        ask = waited(aask)

    assert Doubled().ask("me", lambda name: f"{name} on {current_thread().name}") == (
        f"me on {current_thread().name}"
    )
    assert Doubled.ask.__doc__ == "Ask."
    assert not asyncio.iscoroutinefunction(Doubled.ask)


def test_a_child_that_was_forked_has_a_loop_of_its_own():
    code = (
        "import asyncio, os\n"
        "from snaphook.bridges.run_sync import run_sync\n"
        "run_sync(asyncio.sleep(0))\n"
        "child = os.fork()\n"
        "if child: print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
        "else: os._exit(run_sync(asyncio.sleep(0, 7)))\n"
    )

    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", code], capture_output=True, text=True, timeout=60
    )

    assert done.stdout == "7\n", done.stderr
