"""The dashboard as an ASGI application.

Dashboard  ->  create_app  ->  Starlette

Read only: every page is a GET, nothing on any page changes anything. What goes wrong is a page too: an
address that makes no sense says what to ask instead, a database that is away says so and comes back.
"""

from asyncio import to_thread
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

from snaphook.errors import MissingExtra, SnaphookError

from .ask import BadQuestion
from .catch_up import CatchUp
from .dashboard import RECORDS, Dashboard

try:
    from starlette.applications import Starlette
    from starlette.exceptions import HTTPException
    from starlette.middleware import Middleware
    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import Mount, Route
    from starlette.staticfiles import StaticFiles

    from .pages import Pages
    from .security import KnownHosts, SafeHeaders, TokenAccess
    from .stream import Streams
except ModuleNotFoundError as missing:
    raise MissingExtra.named("web", wanted_by="the dashboard") from missing

STATIC = Path(__file__).parent / "static"
PATIENCE = 2.0
"""Seconds that the first page waits for what is recorded already."""
AGAIN = 5
"""Seconds after which a page whose database is away asks again."""


def create_app(dashboard: Dashboard, *, token: str = "", names: Iterable[str] = ()) -> Starlette:
    """Return the dashboard over *dashboard*.

    With a *token* only those see it who know it; *names* are further host names it goes by.
    """
    behind = _catch_up(dashboard)
    pages = Pages(dashboard, behind=lambda: behind.problem if behind else "")
    streams = Streams(dashboard, pages)
    if behind:
        behind.news = streams.news

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        if behind:
            behind.start()
            await to_thread(behind.caught_up.wait, PATIENCE)
        try:
            yield
        finally:
            streams.stop()
            pages.prover.stop()
            if behind:
                behind.stop()
            dashboard.close()

    async def bad_question(request: Request, error: Exception) -> Response:
        assert isinstance(error, BadQuestion)
        return pages.problem(request, 400, "Invalid request", error.what, error.fix)

    async def away(request: Request, error: Exception) -> Response:
        assert isinstance(error, SnaphookError)
        answer = pages.problem(
            request,
            503,
            "The database cannot be reached",
            f"{error.where}: {error.what}",
            error.fix,
        )
        answer.headers["Refresh"] = str(AGAIN)
        return answer

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        what, fix = _REFUSALS.get(error.status_code, (error.detail, "Go back to the overview."))
        return pages.problem(request, error.status_code, "Not here", what, fix)

    async def failed(request: Request, error: Exception) -> Response:
        what = f"internal error: {type(error).__name__}"
        return pages.problem(request, 500, "Our mistake", what, "Please report it.")

    guards = [Middleware(SafeHeaders), Middleware(KnownHosts, names=tuple(names))]
    if token:
        guards.append(Middleware(TokenAccess, token=token))
    return Starlette(
        routes=[
            *(Route(path, page, methods=["GET"]) for path, page in pages.table.items()),
            Route("/feed/stream", streams.feed, methods=["GET"]),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=guards,
        exception_handlers={
            BadQuestion: bad_question,
            SnaphookError: away,
            HTTPException: refused,
            Exception: failed,
        },
        lifespan=lifespan,
    )


_REFUSALS = {
    404: (
        "there is nothing at this address",
        "It may have been deleted by retention; look in the feed.",
    ),
    405: ("this page is read-only", "The dashboard is read-only."),
}


def _catch_up(dashboard: Dashboard) -> CatchUp | None:
    """Return who keeps the copy of this machine's record fresh, where that is what we look at."""
    if dashboard.folder is None or dashboard.fleet:
        return None
    return CatchUp(dashboard.folder, dashboard.folder / RECORDS)
