"""Who may look, and what a browser may do with what it is shown.

request  ->  Host is one of ours?  ->  token, where one is asked for  ->  the page, with its headers

Agents choose much of what is shown here. Every text is escaped; these headers are the second wall: no
script and no style but our own files, no frames, nothing from elsewhere.
"""

import hmac
import ipaddress
import platform
import secrets
from collections.abc import Iterable
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "snaphook"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
        "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
}
OPEN = ("/login", "/static/")
"""What those may see who have not shown the token yet."""


class SafeHeaders:
    """Puts our headers on every answer; pages are never kept by a browser or a proxy."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, with our headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                kept = scope["path"].startswith("/static/")
                headers["Cache-Control"] = "no-cache" if kept else "no-store"
            await send(message)

        await self._app(scope, receive, with_headers)


class KnownHosts:
    """Answers only those who call us by a name of ours.

    A page elsewhere can give its own name our address, and its scripts could then read our answers as
    their own. It cannot make the browser send another ``Host``: a number, or a name of this machine.
    """

    def __init__(self, app: ASGIApp, *, names: Iterable[str] = ()) -> None:
        self._app = app
        self._names = {"localhost", platform.node().lower(), *(name.lower() for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer who knows us, refuse the others."""
        if scope["type"] == "http" and not self.knows(Headers(scope=scope).get("host", "")):
            refusal = PlainTextResponse(
                "This is not the address of a Snaphook dashboard. "
                "Open the one that 'snaphook ui' printed.\n",
                status_code=421,
            )
            await refusal(scope, receive, send)
            return
        await self._app(scope, receive, send)

    def knows(self, host: str) -> bool:
        """Say whether *host*, as a browser sends it, is one of ours."""
        name = host.rpartition(":")[0] if host.rpartition(":")[2].isdigit() else host
        name = name.strip("[]").lower()
        if name in self._names:
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True


class TokenAccess:
    """Lets in who knows the token: once in the address, from then on by a cookie.

    The cookie is not the token and is worth nothing after the dashboard has stopped.
    """

    def __init__(self, app: ASGIApp, *, token: str) -> None:
        self._app = app
        self._token = token
        self._pass = hmac.new(secrets.token_bytes(32), token.encode(), sha256).hexdigest()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer who has shown the token, send the others to show it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        request = Request(scope, receive)
        if answer := await self._answer(request):
            await answer(scope, receive, send)
        else:
            await self._app(scope, receive, send)

    async def _answer(self, request: Request) -> Response | None:
        """Return what to say instead of the page; ``None`` for those who may see it."""
        if request.url.path == "/login" and request.method == "POST":
            form = (await request.body())[:4096].decode(errors="replace")
            shown = form.partition("token=")[2].partition("&")[0]
            return self._let_in("/") if self._is_token(shown) else _to_login()
        if "token" in request.query_params:
            shown = request.query_params["token"]
            query = request.url.remove_query_params("token")
            there = f"{query.path}?{query.query}" if query.query else query.path
            return self._let_in(there) if self._is_token(shown) else _to_login()
        if request.url.path.startswith(OPEN):
            return None
        if hmac.compare_digest(request.cookies.get(COOKIE, "").encode(), self._pass.encode()):
            return None
        return _to_login()

    def _is_token(self, shown: str) -> bool:
        return hmac.compare_digest(shown.encode(), self._token.encode())

    def _let_in(self, there: str) -> Response:
        safe = there if there.startswith("/") and not there.startswith(("//", "/\\")) else "/"
        answer = RedirectResponse(safe, status_code=303)
        answer.set_cookie(COOKIE, self._pass, httponly=True, samesite="strict", path="/")
        return answer


def _to_login() -> Response:
    return RedirectResponse("/login", status_code=303)
