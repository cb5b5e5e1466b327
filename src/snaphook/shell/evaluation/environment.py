"""Programs that print shell text which only sets up the environment.

eval "$(ssh-agent -s)"  ->  nothing that matters
"""

from __future__ import annotations

from collections.abc import Mapping

from snaphook.shell.facts import Call
from snaphook.shell.text import UNKNOWN


def environment(call: Call, _files: Mapping[str, str]) -> str:
    """Print harmless shell text where the call is one known to do so (`brew shellenv`)."""
    words = {arg.text for arg in call.args}
    return "" if words & ENVIRONMENT[call.program] or not ENVIRONMENT[call.program] else UNKNOWN


ENVIRONMENT: Mapping[str, frozenset[str]] = {
    "ssh-agent": frozenset(),
    "keychain": frozenset(),
    "gpg-agent": frozenset(),
    "dircolors": frozenset(),
    "lesspipe": frozenset(),
    "thefuck": frozenset(),
    "starship": frozenset({"init", "completions"}),
    "zoxide": frozenset({"init"}),
    "atuin": frozenset({"init"}),
    "brew": frozenset({"shellenv", "--prefix"}),
    "direnv": frozenset({"hook", "export"}),
    "pyenv": frozenset({"init", "virtualenv-init"}),
    "rbenv": frozenset({"init"}),
    "nodenv": frozenset({"init"}),
    "jenv": frozenset({"init"}),
    "goenv": frozenset({"init"}),
    "fnm": frozenset({"env", "completions"}),
    "mise": frozenset({"activate", "env", "hook-env", "completion"}),
    "conda": frozenset({"shell.bash", "shell.zsh", "shell.posix"}),
    "micromamba": frozenset({"shell"}),
    "nvm": frozenset({"use"}),
    "opam": frozenset({"env"}),
    "minikube": frozenset({"docker-env", "completion"}),
    "docker-machine": frozenset({"env"}),
    "luarocks": frozenset({"path"}),
    "register-python-argcomplete": frozenset(),
    **dict.fromkeys(
        (
            "kubectl",
            "helm",
            "gh",
            "glab",
            "kind",
            "k3d",
            "kustomize",
            "flux",
            "argocd",
            "istioctl",
            "docker",
            "podman",
            "rustup",
            "poetry",
            "uv",
            "pip",
            "npm",
            "pnpm",
            "deno",
            "bun",
            "hugo",
            "eksctl",
            "doctl",
            "flyctl",
            "stern",
            "oc",
            "golangci-lint",
            "goreleaser",
            "cobra-cli",
            "tilt",
            "skaffold",
            "velero",
            "pdm",
            "just",
            "hatch",
            "ruff",
            "ng",
            "vcluster",
            "operator-sdk",
            "nerdctl",
            "vault",
            "gitlab-runner",
            "terraform-docs",
        ),
        frozenset(
            {
                "completion",
                "completions",
                "generate-shell-completion",
                "shell-completion",
                "shell-completions",
                "--completion",
            }
        ),
    ),
}
