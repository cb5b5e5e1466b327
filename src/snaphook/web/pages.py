"""Every page: an address, the figures behind it, the template that shows them.

Request  ->  figures  ->  HTML
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

import jinja2
from starlette.requests import Request
from starlette.responses import HTMLResponse

from snaphook import __version__
from snaphook.providers.guard.rules.table import BY_ID, RULES
from snaphook.stores.eventlog.refused import refused
from snaphook.stores.eventlog.tally import CountKind

from . import charts, words
from .ask import RECORD_ID, VERDICTS, BadQuestion, read_cursor, read_filter, read_period, read_text
from .audit import shipped, stream_states
from .builds import job, jobs, queues
from .dashboard import Dashboard
from .decision import decision_detail as decision_detail
from .decision import rule_page
from .drawings import cost_chart, lane_chart, pace_chart, verdict_chart
from .figures import machines, ranking
from .finding import Find, find
from .memory import remembered, tellings
from .overview import overview
from .period import PERIODS
from .proof import Prover
from .sessions import session_detail as session_detail
from .sessions import sessions
from .spending import cost_of, spending
from .subject import gist, subject

NAVIGATION = (
    ("/", "Overview", "o"),
    ("/feed", "Live feed", "f"),
    ("/sessions", "Sessions", "s"),
    ("/jobs", "Builder", "b"),
    ("/queue", "Queue", "q"),
    ("/cost", "Cost", "c"),
    ("/memory", "Memory", "m"),
    ("/rules", "Rules", "r"),
    ("/audit", "Audit", "a"),
)
"""Address, name, and the key that follows ``g``."""
COST_DAYS = {"7d": 7, "14d": 14, "30d": 30, "90d": 90}


class Pages:
    """The pages over *dashboard*; *behind* tells why the copy of the record is not fresh, or nothing."""

    def __init__(self, dashboard: Dashboard, *, behind: Callable[[], str] = lambda: "") -> None:
        self._dashboard = dashboard
        self._behind = behind
        self.prover = Prover(dashboard)
        self._templates = jinja2.Environment(
            loader=jinja2.PackageLoader("snaphook.web"),
            autoescape=True,
            trim_blocks=True,
            lstrip_blocks=True,
            undefined=jinja2.StrictUndefined,
        )
        self._templates.globals |= {
            "charts": charts,
            "words": words,
            "subject": subject,
            "gist": gist,
            "refused": refused,
            "version": __version__,
            "navigation": NAVIGATION,
            "min": min,
            "max": max,
        }
        self.table: Mapping[str, Callable[[Request], HTMLResponse]] = {
            "/": self.overview,
            "/feed": self.feed,
            "/decision/{id}": self.decision,
            "/sessions": self.sessions,
            "/session": self.session,
            "/jobs": self.jobs,
            "/job": self.job,
            "/queue": self.queue,
            "/cost": self.cost,
            "/memory": self.memory,
            "/rules": self.rules,
            "/audit": self.audit,
            "/login": self.login,
        }

    def overview(self, request: Request) -> HTMLResponse:
        """Show whether everything is all right."""
        period = read_period(request.query_params)
        machine = read_text(request.query_params, "machine")
        view = overview(self._dashboard, period, machine)
        return self._page(
            request,
            "overview.html",
            view=view,
            machine=machine,
            periods=PERIODS,
            verdicts=verdict_chart(view.bars, period),
            paces=pace_chart(view.paces, period),
            costs=cost_chart(view.spending),
        )

    def feed(self, request: Request) -> HTMLResponse:
        """Show decisions as they are made, and find those that were."""
        wanted = read_filter(request.query_params)
        before = read_cursor(request.query_params)
        return self._page(
            request,
            "feed.html",
            wanted=wanted,
            page=find(self._dashboard.records, wanted, before),
            older_than=before,
            choices=self._choices(),
            verdicts=VERDICTS,
        )

    def decision(self, request: Request) -> HTMLResponse:
        """Show everything about one decision."""
        record_id = request.path_params["id"]
        detail = (
            decision_detail(self._dashboard, record_id) if RECORD_ID.fullmatch(record_id) else None
        )
        if detail is None:
            fix = "It may have been deleted by retention, or not be loaded yet; look in the feed."
            return self.problem(request, 404, "No such decision", "no record has this id", fix)
        return self._page(request, "decision.html", detail=detail)

    def sessions(self, request: Request) -> HTMLResponse:
        """List the sessions."""
        query = request.query_params
        only = read_text(query, "only")
        if only not in ("", "stopped", "asked"):
            raise BadQuestion(f"'only' cannot be '{only[:40]}'", "Write stopped or asked.")
        wanted = {name: read_text(query, name) for name in ("project", "host", "machine")}
        found = sessions(
            self._dashboard.records,
            project=wanted["project"],
            host=wanted["host"],
            machine=wanted["machine"],
            only=only,
            before=_number(query, "before"),
        )
        older = {"before": repr(found[-1].last), "only": only, **wanted} if found else {}
        return self._page(
            request,
            "sessions.html",
            found=found,
            only=only,
            wanted=wanted,
            older=urlencode({name: value for name, value in older.items() if value}),
            choices=self._choices(),
        )

    def session(self, request: Request) -> HTMLResponse:
        """Show one session from its beginning."""
        name = read_text(request.query_params, "id")
        detail = session_detail(self._dashboard.records, name) if name else None
        if detail is None:
            fix = "Sessions are known from their first event on; the list shows all."
            return self.problem(request, 404, "No such session", "unknown session", fix)
        cost = cost_of(self._dashboard.spending, name)
        return self._page(
            request,
            "session.html",
            detail=detail,
            cost=cost,
            lanes=lane_chart(detail.session_row, detail.lanes),
        )

    def jobs(self, request: Request) -> HTMLResponse:
        """List what is being built."""
        return self._page(request, "jobs.html", jobs=jobs(self._dashboard))

    def job(self, request: Request) -> HTMLResponse:
        """Show one job: its tasks, gates and attempts."""
        query = request.query_params
        found = job(self._dashboard, read_text(query, "project"), read_text(query, "name"))
        if found is None:
            fix = "'snaphook jobs' lists those of a project."
            return self.problem(request, 404, "No such job", "no known project has it", fix)
        return self._page(request, "job.html", built=found[0], journal=found[1][::-1][:300])

    def queue(self, request: Request) -> HTMLResponse:
        """Show what agents have to do, and who does what."""
        return self._page(request, "queue.html", shared=queues(self._dashboard))

    def cost(self, request: Request) -> HTMLResponse:
        """Show what was spent, on what, against which limit."""
        name = read_text(request.query_params, "period") or "30d"
        if name not in COST_DAYS:
            raise BadQuestion(f"unknown period '{name[:40]}'", f"Periods: {', '.join(COST_DAYS)}.")
        money = spending(self._dashboard, COST_DAYS[name])
        return self._page(
            request,
            "cost.html",
            money=money,
            chart=cost_chart(money),
            periods=list(COST_DAYS),
            chosen=name,
        )

    def memory(self, request: Request) -> HTMLResponse:
        """Show what is remembered, and ask it."""
        question = read_text(request.query_params, "q")
        return self._page(
            request,
            "memory.html",
            question=question,
            remembered=remembered(self._dashboard, question),
            tellings=() if question else tellings(self._dashboard),
        )

    def rules(self, request: Request) -> HTMLResponse:
        """List the guard's rules, or show one."""
        name = read_text(request.query_params, "id")
        counted = {
            one.name: one
            for one in ranking(
                self._dashboard.records,
                CountKind.RULE,
                PERIODS["30d"],
                self._dashboard.clock(),
                most=1000,
            )
        }
        if not name:
            listed = sorted(
                RULES, key=lambda rule: -counted[rule.id].count if rule.id in counted else 0
            )
            return self._page(request, "rules.html", rules=listed, counted=counted)
        if name not in BY_ID:
            fix = "The list shows every rule that is built in."
            return self.problem(request, 404, "No such rule", "no rule has this name", fix)
        return self._page(
            request,
            "rule.html",
            page=rule_page(BY_ID[name]),
            counted=counted.get(name),
            latest=find(
                self._dashboard.records, read_filter({"verdict": "said", "q": name}), limit=10
            ),
        )

    def audit(self, request: Request) -> HTMLResponse:
        """Show whether the chain holds, how far it has come, and who vouches for it."""
        folder = self._dashboard.folder
        states = stream_states(folder) if folder else []
        return self._page(
            request,
            "audit.html",
            states=states,
            proof=self.prover.look(),
            shipped=shipped(self._dashboard),
            folder=folder,
        )

    def login(self, request: Request) -> HTMLResponse:
        """Ask for the token."""
        return self._page(request, "login.html")

    def problem(
        self, request: Request, status: int, title: str, what: str, fix: str
    ) -> HTMLResponse:
        """Return a page that says what is wrong and what to do."""
        return self._page(
            request, "problem.html", status_code=status, title=title, what=what, fix=fix
        )

    def rows(self, finds: Iterable[Find]) -> str:
        """Return the rows of *finds*, as the feed shows them."""
        template = self._templates.get_template("rows.html")
        return template.render(
            finds=list(finds), now=self._dashboard.clock(), fleet=self._dashboard.fleet
        )

    def _page(
        self, request: Request, template: str, *, status_code: int = 200, **figures: Any
    ) -> HTMLResponse:
        made = self._templates.get_template(template).render(
            path=request.url.path,
            now=self._dashboard.clock(),
            where=self._dashboard.records.where,
            fleet=self._dashboard.fleet,
            behind=self._behind(),
            **figures,
        )
        return HTMLResponse(made, status_code=status_code)

    def _choices(self) -> dict[str, Sequence[str]]:
        """Return what a filter may choose from: what there was most of lately."""
        kinds = {
            "host": CountKind.HOOK,
            "project": CountKind.PROJECT,
            "agent": CountKind.AGENT,
            "tool": CountKind.TOOL,
        }
        found: dict[str, Sequence[str]] = {}
        for name, kind in kinds.items():
            ranked = ranking(
                self._dashboard.records, kind, PERIODS["30d"], self._dashboard.clock(), most=60
            )
            names = [one.name.split(" ")[0] if name == "host" else one.name for one in ranked]
            found[name] = [each for each in dict.fromkeys(names) if each]
        if self._dashboard.fleet:
            there = machines(self._dashboard.records, PERIODS["30d"], self._dashboard.clock())
            found["machine"] = [one.host for one in there]
        return found


def _number(query: Mapping[str, str], name: str) -> float | None:
    text = read_text(query, name)
    try:
        value = float(text) if text else None
    except ValueError:
        value = float("nan")
    if value is not None and not 0 <= value < 1e12:
        raise BadQuestion(f"invalid time for '{name}'", "Follow the links of the page.")
    return value
