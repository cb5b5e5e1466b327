"""``snaphook completion``: a script that teaches a shell our commands."""

import click
from click.shell_completion import get_completion_class

from .output import say_generated


@click.command()
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def command(shell: str) -> None:
    """Print a completion script for SHELL.

    \b
    bash: eval "$(snaphook completion bash)"    in ~/.bashrc
    zsh:  eval "$(snaphook completion zsh)"     in ~/.zshrc
    fish: snaphook completion fish > ~/.config/fish/completions/snaphook.fish
    """
    from .group import group

    kind = get_completion_class(shell)
    assert kind is not None, "click knows these three"
    say_generated(kind(group, {}, "snaphook", "_SNAPHOOK_COMPLETE").source())
