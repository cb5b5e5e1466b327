"""AskUser, Task and TodoWrite: the tools that speak with a person, a subagent, or oneself."""

from enum import StrEnum

from msgspec import Struct

from .tool import Tool, ToolContext, ToolResult

TODOS = "todos"


class AskUserArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What AskUser takes."""

    question: str
    options: tuple[str, ...] = ()


class TaskArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What Task takes."""

    prompt: str
    description: str = ""
    """A few words for whoever watches."""
    subagent_type: str = "general"


class TodoStatus(StrEnum):
    """How far a todo has come."""

    PENDING = "pending"
    IN_PROGRESS = "in_progress"
    COMPLETED = "completed"


class Todo(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One thing to do."""

    content: str
    status: TodoStatus = TodoStatus.PENDING


class TodoWriteArgs(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What TodoWrite takes."""

    todos: tuple[Todo, ...]


_MARKS = {TodoStatus.PENDING: " ", TodoStatus.IN_PROGRESS: "~", TodoStatus.COMPLETED: "x"}


async def _ask_user(args: AskUserArgs, context: ToolContext) -> ToolResult:
    return ToolResult(text=await context.host.ask_user(args.question, args.options))


async def _task(args: TaskArgs, context: ToolContext) -> ToolResult:
    return await context.host.spawn(args.subagent_type, args.prompt)


async def _todo_write(args: TodoWriteArgs, context: ToolContext) -> ToolResult:
    context.memory[TODOS] = args.todos
    lines = [f"[{_MARKS[todo.status]}] {todo.content}" for todo in args.todos]
    return ToolResult(text="\n".join(lines) or "The list is empty.")


ASK_USER = Tool(
    name="AskUser",
    description="Ask the person a question; options are offered as answers.",
    args=AskUserArgs,
    run=_ask_user,
    harmless=True,
)
TASK = Tool(
    name="Task",
    description="Give a subagent a task of its own. It sees only the prompt; you see its answer.",
    args=TaskArgs,
    run=_task,
    parallel=True,
    harmless=True,
)
TODO_WRITE = Tool(
    name="TodoWrite",
    description="Write down the whole list of what is to be done and how far each item has come.",
    args=TodoWriteArgs,
    run=_todo_write,
    harmless=True,
)
