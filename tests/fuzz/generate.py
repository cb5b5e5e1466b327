"""Shell text out of a seed: some of it grammatical, some of it broken.

seed  ->  command text, the same for ever
"""

import random
from collections.abc import Callable, Iterator

from tests.corpus.guard_rows import rows

PROGRAMS = (
    *("rm", "cp", "mv", "dd", "ln", "find", "xargs", "tar", "sed", "awk", "git", "curl", "cat"),
    *("echo", "printf", "bash", "sh", "eval", "source", ".", "env", "sudo", "timeout", "nohup"),
    *(
        "python3",
        "node",
        "perl",
        "psql",
        "docker",
        "kubectl",
        "ssh",
        "exec",
        "command",
        "cd",
        "export",
    ),
    *(
        "read",
        "declare",
        "trap",
        "alias",
        "set",
        "parallel",
        "watch",
        "su",
        "chmod",
        "rsync",
        "tee",
    ),
)
WORDS = (
    *(
        "-rf",
        "--force",
        "-c",
        "-e",
        "-exec",
        "-delete",
        "{}",
        "+",
        "\\;",
        "-I{}",
        "-S",
        "--",
        "-",
        "-C",
    ),
    *(
        "/",
        "~",
        ".",
        "..",
        "*",
        "/etc",
        "$HOME",
        "~/.ssh/id_rsa",
        ".env",
        "src",
        "/tmp/x",
        "/dev/sda",
    ),
    *(
        "push",
        "reset",
        "--hard",
        "origin",
        "main",
        "run",
        "of=/dev/sda",
        "if=x",
        "a=b",
        "X=1",
        "[a-z]?",
    ),
    *(
        "{a,b}",
        "{1..3}",
        "{",
        "}",
        "!",
        "DROP TABLE t",
        "https://example.com/x",
        "é",
        "\u202e",
        "\t",
    ),
)
NAMES = (
    "x",
    "HOME",
    "IFS",
    "1",
    "@",
    "#",
    "?",
    "arr[0]",
    "arr[@]",
    "!x",
    "x:-y",
    "x%/*",
    "x//a/b",
    "x@E",
)
OPERATORS = (" && ", " || ", "; ", " | ", " |& ", " & ", "\n")
REDIRECTS = (
    "> f",
    ">> f",
    "< f",
    "2>&1",
    "&> f",
    "<<< w",
    ">| f",
    "3<> f",
    "<&3",
    "2>/dev/null",
    "> $x",
)
RUBBISH = "\0\x1b\x7f\\\"'`$(){}[]<>|&;#!~*?=\n\t \r%^,.:/+-@é漢\ud800\U0001f41a"


class Author:
    """Writes shell text from a seed. *depth* bounds how far it nests."""

    def __init__(self, seed: int, depth: int = 4) -> None:
        self.dice = random.Random(seed)
        self.depth = depth

    def script(self) -> str:
        """Return one or a few commands."""
        parts = [self.command()]
        while self.dice.random() < 0.35 and len(parts) < 6:
            parts += [self.dice.choice(OPERATORS), self.command()]
        return "".join(parts)

    def command(self) -> str:
        """Return one command: plain mostly, compound now and then."""
        if self.depth <= 0 or self.dice.random() < 0.7:
            return self.simple()
        return self.deeper(self.dice.choice(self.compounds()))

    def compounds(self) -> tuple[Callable[[], str], ...]:
        """Return the ways to write a compound command."""
        return (
            lambda: f"({self.script()})",
            lambda: f"{{ {self.script()}; }}",
            lambda: f"if {self.script()}; then {self.script()}; else {self.script()}; fi",
            lambda: f"for x in {self.word()} {self.word()}; do {self.script()}; done",
            lambda: f"while {self.script()}; do {self.script()}; done",
            lambda: f"case {self.word()} in {self.word()}) {self.script()};; *) :;; esac",
            lambda: f"f() {{ {self.script()}; }}; f {self.word()}",
            lambda: f"[[ {self.word()} == {self.word()} ]]",
            lambda: f"(( x = {self.word()} ))",
            lambda: (
                f"cat <<{self.dice.choice(['EOF', chr(39) + 'EOF' + chr(39)])}\n{self.script()}\nEOF\n"
            ),
            lambda: f"bash <<EOF\n{self.script()}\nEOF\n",
            lambda: f"coproc {self.simple()}",
            lambda: f"! {self.simple()}",
        )

    def simple(self) -> str:
        """Return assignments, a program, words, redirections."""
        parts = [f"{self.dice.choice('xyz')}={self.word()}"] if self.dice.random() < 0.15 else []
        parts.append(self.dice.choice(PROGRAMS) if self.dice.random() < 0.85 else self.word())
        parts += [self.word() for _ in range(self.dice.randrange(5))]
        if self.dice.random() < 0.2:
            parts.append(self.dice.choice(REDIRECTS))
        return " ".join(parts)

    def word(self) -> str:
        """Return a word: plain, quoted, or the result of an expansion."""
        plain = self.dice.choice(WORDS)
        if self.depth <= 0 or self.dice.random() < 0.6:
            return plain
        return self.deeper(self.dice.choice(self.expansions(plain)))

    def expansions(self, plain: str) -> tuple[Callable[[], str], ...]:
        """Return the ways to write a word that is more than *plain*."""
        name = self.dice.choice(NAMES)
        return (
            lambda: f"'{plain}'",
            lambda: f'"{plain}"',
            lambda: f"$'{plain}\\x2f\\057\\n'",
            lambda: f"\\{plain}",
            lambda: f"${name}",
            lambda: f"${{{name}}}",
            lambda: f'"${{{name}}}"',
            lambda: f"$({self.script()})",
            lambda: f'"$({self.script()})"',
            lambda: f"`{self.simple()}`",
            lambda: f"<({self.script()})",
            lambda: f"$(( {self.word()} + 1 ))",
            lambda: f"${{x:-{self.word()}}}",
            lambda: f"'{self.script()}'",
            lambda: f"{self.word()}{self.word()}",
        )

    def deeper(self, write: Callable[[], str]) -> str:
        """Return what *write* writes, one level further in."""
        self.depth -= 1
        text = write()
        self.depth += 1
        return text

    def mutant(self) -> str:
        """Return a command of the corpus with a few characters gone, doubled, swapped or added."""
        text = list(self.dice.choice(rows()).command)
        for _ in range(self.dice.randrange(1, 6)):
            at = self.dice.randrange(len(text) + 1)
            match self.dice.randrange(5):
                case 0:
                    text[at : at + 1] = []
                case 1:
                    text.insert(at, self.dice.choice(RUBBISH))
                case 2:
                    text[at:at] = text[at : at + self.dice.randrange(1, 12)]
                case 3:
                    text[at : at + 2] = reversed(text[at : at + 2])
                case _:
                    text[at:] = text[at : at + self.dice.randrange(1, 40)]
        return "".join(text)

    def splice(self) -> str:
        """Return the beginning of one command of the corpus with the end of another."""
        first, second = (self.dice.choice(rows()).command for _ in range(2))
        return (
            first[: self.dice.randrange(len(first) + 1)]
            + second[self.dice.randrange(len(second) + 1) :]
        )

    def noise(self) -> str:
        """Return characters that mean something to a shell, in no order."""
        return "".join(self.dice.choices(RUBBISH + "rmgit -f/", k=self.dice.randrange(1, 80)))


def inputs(first: int, count: int) -> Iterator[tuple[int, str]]:
    """Yield *count* inputs with their seeds, from seed *first* on."""
    for seed in range(first, first + count):
        author = Author(seed)
        write = (author.script, author.mutant, author.mutant, author.splice, author.noise)
        yield seed, write[seed % len(write)]()
