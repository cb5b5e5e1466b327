"""What the daemon does with a call: the same as ``snaphook hook``, with everything loaded.

Request  ->  host wire  ->  Event  ->  Output  ->  Answer
"""

from time import time

import msgspec

from snaphook.answer import answer
from snaphook.errors import SnaphookError
from snaphook.hosts import Call, Reply, host_named
from snaphook.hosts.refusal import refuse
from snaphook.hosts.signs import caller
from snaphook.wiring import caller_environment

from .control import STATUS, STOP, status
from .frames import Answer, Request
from .projects import Projects
from .server import Server


class Handler:
    """Answers calls of every host, for every project of one user."""

    def __init__(self, projects: Projects, server: Server) -> None:
        self._projects = projects
        self._server = server

    async def __call__(self, request: Request) -> Answer:
        """Return what the client should write and leave with."""
        match request.args[0]:
            case word if word == STATUS:
                found = status(served=self._server.served, projects=len(self._projects))
                return Answer(stdout=msgspec.json.encode(found))
            case word if word == STOP:
                self._server.stop()
                return Answer()
        caller_environment.set(request.env)
        return _delivered(await self._reply(request))

    async def _reply(self, request: Request) -> Reply:
        named = host_named(request.args[0])
        host = host_named(caller(named.NAME, request.stdin, request.env))
        event = request.args[1] if len(request.args) > 1 and host is named else ""
        call = Call(event=event, env=request.env, cwd=request.cwd, now=time())
        try:
            return await answer(
                request.stdin,
                host=host,
                call=call,
                engine_for=lambda event: self._projects.engine(
                    event.context.cwd or request.cwd, request.env
                ),
            )
        except SnaphookError as error:
            return refuse(host, call, str(error))


def make_handler(server: Server) -> Handler:
    """Return the handler of *server*."""
    return Handler(Projects(), server)


def _delivered(reply: Reply) -> Answer:
    if reply.append_to:
        with open(reply.append_to, "ab") as file:  # noqa: PTH123 - one short line for the host
            file.write(reply.append)
    return Answer(status=reply.exit_code, stdout=reply.stdout, stderr=reply.stderr)
