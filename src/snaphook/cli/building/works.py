"""What ``plan``, ``build`` and ``run`` share: their options, and what is made of them.

options + settings  ->  Works  ->  exit status

Everything that can be wrong with a job is told before an agent is started.
"""

import asyncio
import contextlib
import signal
from collections import defaultdict
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import click
import msgspec
from msgspec import Struct
from msgspec.structs import replace

from snaphook.builder.build import Build, BuildLimits
from snaphook.builder.driver import Driver
from snaphook.builder.job import BuildJob, find_job
from snaphook.builder.journal import BuildJournal
from snaphook.builder.plan import check_iterations, plan
from snaphook.builder.settings import BuilderSettings
from snaphook.builder.watch import BuildWatcher
from snaphook.cli.output import say
from snaphook.cli.table import EXIT_INTERRUPTED
from snaphook.errors import ConfigError

if TYPE_CHECKING:
    from snaphook.agent import Listener
    from snaphook.config import Settings
    from snaphook.providers.gates import Gate

Command = TypeVar("Command", bound=Callable[..., Any])
COMMIT = "{task}"

SHARED = (
    click.option(
        "--codebase", type=click.Path(exists=True, file_okay=False), help="Default: here."
    ),
    click.option("--model", help="Handed to the agent."),
    click.option(
        "--output",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="Output format: text, or one JSON object per step.",
    ),
    click.option("--dry-run", is_flag=True, help="Show what would be done without doing it."),
)
JOB = click.option("--job", "job_name", required=True, metavar="NAME", help="Under .sauna/jobs.")
PLANNING = (
    click.option("--iterations", type=int, help="Number of planning iterations (default: 1)."),
    click.option("--planner", metavar="WHO", help="As --builder; default: the builder."),
)
BUILDER = click.option(
    "--builder",
    metavar="WHO",
    help="agent, claude, codex, gemini, or 'command: TOOL {session} {message_file}'.",
)
BUILDING = (
    click.option(
        "--max-retries",
        type=click.IntRange(min=0),
        help="Fix attempts per task (default: 3); 0 runs the gates once.",
    ),
    click.option(
        "--commit",
        is_flag=False,
        flag_value=COMMIT,
        metavar="TEMPLATE",
        help="Commit each passed task; '{job}: {task}' is a template.",
    ),
    click.option(
        "--task-budget",
        type=click.FloatRange(min=0, min_open=True),
        metavar="DOLLARS",
        help="Halt if a task costs more than this.",
    ),
    click.option(
        "--task-timeout",
        type=click.FloatRange(min=0, min_open=True),
        metavar="SECONDS",
        help="Halt if a task takes longer than this.",
    ),
    click.option("--fresh", is_flag=True, help="Start an unfinished task over in a new session."),
)


def options(*several: Callable[[Command], Command]) -> Callable[[Command], Command]:
    """Return a decorator that adds *several* options, in this order."""

    def add(command: Command) -> Command:
        for option in reversed(several):
            command = option(command)
        return command

    return add


class Works(Struct, frozen=True, kw_only=True):
    """A job with everything needed to plan and build it."""

    job: BuildJob
    settings: BuilderSettings
    gates: "tuple[Gate, ...]"
    planner: Driver
    builder: Driver
    watcher: BuildWatcher
    fresh: bool = False

    async def plan(self, journal: BuildJournal) -> None:
        """Have the job planned."""
        iterations = self.settings.iterations
        await plan(self.job, self.planner, journal, iterations=iterations, watcher=self.watcher)

    async def build(self, journal: BuildJournal) -> None:
        """Have the job built."""
        budget = self.settings.task_budget
        limits = BuildLimits(
            max_retries=self.settings.max_retries,
            task_budget_micros=None if budget is None else round(budget * 1_000_000),
            task_timeout=self.settings.task_timeout,
        )
        build = Build(
            self.job,
            driver=self.builder,
            gates=self.gates,
            journal=journal,
            watcher=self.watcher,
            limits=limits,
            commit_template=self.settings.commit,
            fresh=self.fresh,
        )
        await build.run()


def prepare(
    job_name: str, given: dict[str, Any], watcher: BuildWatcher, *, builds: bool = True
) -> Works:
    """Return what the command line and the settings ask for; raise before anything is started.

    Where nothing is built, no builder is made: it might lack a key or a program that nobody needs.
    """
    from snaphook.builder.drivers.table import choose_driver
    from snaphook.config import Environment, load
    from snaphook.providers.gates import read_gates
    from snaphook.wiring import sections

    codebase = Path(given.get("codebase") or Path.cwd()).absolute()
    job = find_job(codebase, job_name)
    settings = load(Environment.here(codebase), sections=sections.every_section())
    chosen = _chosen(settings, given)
    check_iterations(chosen.iterations)

    def agent(model: str) -> Driver:
        return _agent_driver(model, codebase)

    def driver(words: str) -> Driver:
        return choose_driver(words, agent=agent, model=chosen.model, options=chosen.options)

    planner = driver(chosen.planner or chosen.builder)
    return Works(
        job=job,
        settings=chosen,
        gates=read_gates(codebase),
        planner=planner,
        builder=driver(chosen.builder) if builds else planner,
        watcher=watcher,
        fresh=given.get("fresh", False),
    )


def carry_out(works: Works, *steps: Callable[[BuildJournal], Coroutine[Any, Any, None]]) -> int:
    """Take *steps* one after the other; Ctrl-C or a polite kill ends them with nothing lost."""

    async def all_steps(journal: BuildJournal) -> None:
        task = asyncio.current_task()
        assert task is not None
        with stopped_by_signals(task):
            for step in steps:
                await step(journal)

    with BuildJournal(works.job) as journal:
        try:
            asyncio.run(all_steps(journal))
        except asyncio.CancelledError:
            name = works.job.name
            say(f"Interrupted. 'snaphook build --job {name}' resumes it.", err=True)
            return EXIT_INTERRUPTED
    return 0


@contextlib.contextmanager
def stopped_by_signals(task: "asyncio.Task[Any]") -> Iterator[None]:
    """Let Ctrl-C and a polite kill cancel *task*, so that journals are closed and children ended."""
    loop = asyncio.get_running_loop()
    caught = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
    for number in caught:
        loop.add_signal_handler(number, task.cancel)
    try:
        yield
    finally:
        for number in caught:
            loop.remove_signal_handler(number)


def _chosen(settings: "Settings", given: dict[str, Any]) -> BuilderSettings:
    """Return what ``[builder]`` says, and above it what the command line says."""
    section = settings.sections.get("builder")
    values = dict(section.values) if section else {}
    fields = BuilderSettings.__struct_fields__
    values |= {name: given[name] for name in fields if given.get(name) is not None}
    iterations = values.pop("iterations", 1)
    try:
        chosen = msgspec.convert(values, BuilderSettings)
    except msgspec.ValidationError as error:
        raise ConfigError(
            where="[builder]", what=str(error), fix="'snaphook check' shows the place."
        ) from None
    return replace(chosen, iterations=iterations)


def _agent_driver(model: str, codebase: Path) -> Driver:
    """Return the reference agent under the settings in force; nobody is there to be asked."""
    from snaphook.agent import Agent, Mode, Permissions
    from snaphook.builder.drivers.agent import AgentDriver
    from snaphook.cli.agent.setup import Setup, set_up

    def setup(codebase: Path, resume: str | None = None) -> Setup:
        given = {"cwd": codebase, "model": model or None, "resume": resume}
        return set_up(defaultdict(lambda: None, given), headless=True)

    def make(codebase: Path, resume: str | None, listener: "Listener") -> Agent:
        made = setup(codebase, resume)
        asks = made.permissions.mode is Mode.DEFAULT
        return Agent(
            engine=made.engine,
            options=made.options,
            permissions=Permissions(mode=Mode.ALLOW_ALL) if asks else made.permissions,
            listener=listener,
            sessions=made.sessions,
            resume=made.resume,
        )

    setup(codebase)  # a missing key is told before anything is started
    return AgentDriver(make)
