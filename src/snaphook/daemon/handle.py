"""What the daemon does with a call: the same as ``snaphook hook``, with everything loaded.

Request  ->  host wire  ->  Event  ->  Output  ->  Answer
"""

from time import time

from snaphook.answer import answer
from snaphook.errors import SnaphookError
from snaphook.hosts import Call, Reply, host_named
from snaphook.hosts.refusal import refuse
from snaphook.hosts.signs import caller
from snaphook.wiring import caller_environment

from .frames import Answer, Request
from .projects import Projects


class Handler:
    """Answers calls of every host, for every project of one user."""

    def __init__(self, projects: Projects) -> None:
        self._projects = projects

    async def __call__(self, request: Request) -> Answer:
        """Return what the client should write and leave with."""
        caller_environment.set(request.env)
        return _as_answer(await self._reply(request))

    async def _reply(self, request: Request) -> Reply:
        named = host_named(request.args[0])
        host = host_named(caller(named.NAME, request.stdin, request.env))
        event = request.args[1] if len(request.args) > 1 and host is named else ""
        call = Call(event=event, env=request.env, cwd=request.cwd, now=time())
        try:
            engine = self._projects.engine(request.cwd, request.env)
            return await answer(request.stdin, host=host, engine=engine, call=call)
        except SnaphookError as error:
            return refuse(host, call, str(error))


def _as_answer(reply: Reply) -> Answer:
    if reply.append_to:
        with open(reply.append_to, "ab") as file:  # noqa: PTH123, ASYNC230 - one short line
            file.write(reply.append)
    return Answer(status=reply.exit_code, stdout=reply.stdout, stderr=reply.stderr)
