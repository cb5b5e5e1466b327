"""What the daemon does with a call: the same as ``snaphook hook``, with everything loaded.

RequestFrame  ->  host wire  ->  Event  ->  Output  ->  ReplyFrame
"""

import logging
import os
from collections.abc import Coroutine, Mapping
from functools import cache, partial
from pathlib import Path
from time import time
from typing import Any

import msgspec

from snaphook.canon import Event
from snaphook.config import Environment, Settings
from snaphook.config.caller import caller_environment
from snaphook.engine import Engine
from snaphook.errors import SnaphookError
from snaphook.hosts import Host, HostCall, Reply, host_named
from snaphook.hosts.detect_host import detect_host
from snaphook.hosts.refusal import Refusal, refused
from snaphook.providers.guard.rules import table as rules
from snaphook.shell import known_programs as programs
from snaphook.storage.files import append
from snaphook.stores.outbox.workers import Workers
from snaphook.stores.overrides.registry import OverrideRegistry
from snaphook.wiring.answer import answer
from snaphook.wiring.assembly import section
from snaphook.wiring.job_handlers import handler
from snaphook.wiring.refused_calls import put_back, record_all

from .control import STATUS, STOP, status
from .exporter_supervisor import ExporterSupervisor
from .frames import ReplyFrame, RequestFrame
from .overrides.audit import AuditWriter
from .overrides.messages import OVERRIDE
from .overrides.notifier import Notifier
from .overrides.service import OverrideService
from .projects import Projects
from .records import Records
from .server import DaemonServer
from .settings import DaemonSettings
from .wired_files import RemovedHooks, WiredFiles, removal, tell_person

log = logging.getLogger("snaphook.daemon")

_loaded = (rules.RULES, programs.places())
"""Every rule and program of the guard, before the first call asks for one."""


class Handler:
    """Answers calls of every host, for every project of one user."""

    def __init__(self, server: DaemonServer) -> None:
        self._server = server
        self._records = Records()
        registry = OverrideRegistry(AuditWriter(self._records, self._settled_in))
        registry.notify = Notifier(registry.codes.make)
        self._overrides = OverrideService(registry, self._settled_in)
        server.holds = lambda: len(registry.active) > 0
        self._projects = Projects(self._records.observers, overrides=registry)
        server.on_leaving(self._records.close)
        self._workers = Workers(handler)
        self._workers.begin(Environment.here())
        server.on_leaving(self._workers.stop)
        self._exporter = ExporterSupervisor(os.environ)
        self._exporter.start()
        server.on_leaving(self._exporter.stop)
        self._watch(Environment.here())
        self._take_in(Environment.here())

    def _watch(self, around: Environment) -> None:
        """Watch the hosts' settings that call us, for as long as we live."""
        settings, _ = self._settled_in("/", around.env)
        wanted = section(settings, "daemon", DaemonSettings) if settings else DaemonSettings()

        def report(removed: RemovedHooks) -> None:
            log.error("%s", removed.text)
            self._records.note(partial(removal, removed), settings, around)
            tell_person(removed, around)

        watched = WiredFiles(
            around,
            report,
            last_call=lambda: self._server.last_call,
            restores=wanted.restore_hooks,
        )
        self._server.on_look(watched.look)

    def _take_in(self, around: Environment) -> None:
        """Record the calls that the client had to answer by itself, now and from time to time."""

        def look() -> None:
            record_all(around.shared_dir, keep)

        def keep(refusal: Refusal) -> None:
            settings = self._projects.settings(refusal.call.cwd or "/", around.env)
            self._records.refused(refusal, *settings)

        put_back(around.shared_dir)
        self._server.on_look(look)

    def __call__(self, request: RequestFrame) -> ReplyFrame | Coroutine[Any, Any, ReplyFrame]:
        """Return what the client should write and leave with, at once where nobody has to wait."""
        match request.args[:1]:
            case (word,) if word == STATUS:
                server = self._server
                found = status(
                    served=server.served,
                    projects=len(self._projects),
                    http=server.http,
                    telemetry=self._exporter.exporter_status,
                )
                return ReplyFrame(stdout=msgspec.json.encode(found))
            case (word,) if word == STOP:
                self._server.stop()
                return ReplyFrame()
            case (word,) if word == OVERRIDE:
                return self._overrides.answer(request)
        return self._answer(request)

    def _answer(self, request: RequestFrame) -> ReplyFrame | Coroutine[Any, Any, ReplyFrame]:
        host, call, wire = _asked(request)
        before = caller_environment.set(request.env)
        try:
            reply = answer(wire, host=host, call=call, engine_for=partial(self._engine, request))
        except SnaphookError as error:
            return self._refuse(refused(host, call, str(error), wire), request)
        finally:
            caller_environment.reset(before)
        if not isinstance(reply, Reply):
            return self._answer_later(reply, request)
        frame = _delivered(reply)
        return self._settled(frame) if self._records.owe else frame

    async def _answer_later(
        self, pending: Coroutine[Any, Any, Reply], request: RequestFrame
    ) -> ReplyFrame:
        caller_environment.set(request.env)  # a task has a context of its own
        return await self._settled(_delivered(await pending))

    def _engine(self, request: RequestFrame, event: Event) -> Engine:
        return self._projects.engine(event.context.cwd or request.cwd, request.env)

    def _settled_in(self, cwd: str, env: Mapping[str, str]) -> tuple[Settings | None, Environment]:
        return self._projects.settings(cwd, env)

    def _refuse(
        self, refusal: Refusal, request: RequestFrame
    ) -> ReplyFrame | Coroutine[Any, Any, ReplyFrame]:
        """Return what the host hears of a message that became no event, once that is recorded."""
        self._records.refused(refusal, *self._projects.settings(request.cwd, request.env))
        answer = _delivered(refusal.reply)
        return self._settled(answer) if self._records.owe else answer

    async def _settled(self, answer: ReplyFrame) -> ReplyFrame:
        """Return *answer* once every stop it may tell of is on disk."""
        await self._records.settle()
        return answer


_host = cache(host_named)


def _asked(request: RequestFrame) -> tuple[Host, HostCall, bytes]:
    """Return who really asks, about what, and in which words."""
    name, event, *given = (*request.args, "")[: max(2, len(request.args))]
    wire = given[0].encode() if given else request.stdin  # Codex's old 'notify' speaks through argv
    named = _host(name)
    host = _host(detect_host(named.NAME, wire, request.env))
    event = event if host is named else ""
    return host, HostCall(event=event, env=request.env, cwd=request.cwd, now=time()), wire


def _delivered(reply: Reply) -> ReplyFrame:
    if reply.append_to:
        append(Path(reply.append_to), reply.append)
    return ReplyFrame(status=reply.exit_code, stdout=reply.stdout, stderr=reply.stderr)
