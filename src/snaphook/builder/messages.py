"""What planner and builder are told.

BuildJob, task  ->  text

The first words are those of the original; the rest is what an agent needs to know to begin.
"""

from pathlib import Path

from .job import BuildJob


def begin_planning(job: BuildJob) -> str:
    """Return the planner's message."""
    return (
        "Begin planning.\n\n"
        f"Job '{job.name}', in {_at(job, job.folder)}. {_specs(job)}\n"
        f"Write what is to be done into {_at(job, job.tasks)}: one line '- [ ] …' for each task, at "
        "the beginning of the line, small enough to be built and checked in one go, in the order in "
        "which they should be built. Keep lines that are there and still right; leave ticked ones "
        "as they are. Do not build anything yet."
    )


def begin_building(job: BuildJob, task: str, *, again: bool = False) -> str:
    """Return the builder's message for *task*; *again* after a session that was cut short."""
    before = (
        "An earlier session on this task was cut short. Look at what is there already, and go on.\n\n"
        if again
        else ""
    )
    return (
        "Begin building.\n\n"
        f"Job '{job.name}', in {_at(job, job.folder)}. {_specs(job)}\n"
        f"Your task, from {_at(job, job.tasks)}:\n\n"
        f"- [ ] {task}\n\n"
        f"{before}"
        "Do this task and no other. When it is done, tick its box: make '- [ ]' into '- [x]' on "
        "that line. Checks run after you end; what fails comes back to you."
    )


def tick_missing(job: BuildJob, task: str) -> str:
    """Return what a builder hears that ended without ticking a box."""
    return (
        f"You ended, but no box was ticked in {_at(job, job.tasks)}. If the task is done, tick it; "
        f"if it is not, finish it first:\n\n- [ ] {task}"
    )


def _specs(job: BuildJob) -> str:
    if not job.specs:
        return "It has no specifications."
    return "Read its specifications first: " + ", ".join(_at(job, path) for path in job.specs) + "."


def _at(job: BuildJob, path: Path) -> str:
    return str(path).removeprefix(f"{job.codebase}/")
