"""Files that agents, build machines and shells obey.

path  ->  what obeys it, or nothing
"""

import re

_OBEYED = (
    (
        "agents follow it",
        (
            r"(?:^|/)(?:CLAUDE(?:\.local)?\.md|AGENTS?(?:\.override)?\.md|GEMINI\.md|QWEN\.md|"
            r"COPILOT\.md|CONVENTIONS\.md|WARP\.md|"
            r"SKILL\.md|MEMORY\.md|\.cursorrules|\.windsurfrules|\.clinerules(?:/.*)?|\.roorules|"
            r"\.goosehints|\.rules|"
            r"copilot-instructions\.md|[\w.-]+\.instructions\.md|[\w.-]+\.prompt\.md|"
            r"\.aider\.conf\.yml|\.continuerc\.json)$"
        ),
    ),
    (
        "agents follow it",
        (
            r"(?:^|/)\.(?:claude|cursor|codex|gemini|windsurf|continue|roo|kiro|opencode|"
            r"github/(?:instructions|prompts|agents|chatmodes)|"
            r"qwen|amazonq|augment|factory|wave|crush|agents|copilot)/(?!.*\.log$).+"
        ),
    ),
    (
        "the guard follows it",
        r"(?:^|/)(?:snaphook\.toml|\.mcp\.json|mcp\.json|opencode\.jsonc?|claude_desktop_config\.json)$",
    ),
    (
        "build machines run it",
        (
            r"(?:^|/)(?:\.github/(?:workflows|actions)/.+|\.gitlab-ci\.ya?ml|\.gitlab/.+\.ya?ml|"
            r"Jenkinsfile|azure-pipelines\.ya?ml|"
            r"\.circleci/.+|bitbucket-pipelines\.yml|\.drone\.yml|\.travis\.yml|cloudbuild\.ya?ml|"
            r"\.buildkite/.+|appveyor\.yml|"
            r"\.woodpecker(?:/.+|\.ya?ml)|\.teamcity/.+|\.tekton/.+|renovate\.json5?|"
            r"\.github/(?:dependabot\.yml|CODEOWNERS))$"
        ),
    ),
    (
        "it runs on its own",
        (
            r"(?:^|/)(?:\.git/hooks/.+|\.husky/.+|\.pre-commit-config\.yaml|lefthook\.ya?ml|"
            r"\.vscode/(?:tasks|settings|launch)\.json|"
            r"\.idea/.+\.xml|\.devcontainer/.+|\.(?:bashrc|bash_profile|profile|zshrc|zshenv|zprofile|"
            r"bash_login|kshrc|inputrc)|"
            r"config\.fish|\.envrc|\.gitconfig|\.git/config|\.gitmodules|\.npmrc|\.yarnrc(?:\.yml)?|"
            r"pip\.conf|\.pypirc|\.condarc|"
            r"crontab|cron\.d/.+|\.config/(?:systemd|autostart)/.+|LaunchAgents/.+|sitecustomize\.py|"
            r"conftest\.py|\.direnvrc)$"
        ),
    ),
    (
        "it gives access",
        (
            r"(?:^|/)(?:\.ssh/(?:authorized_keys2?|config|known_hosts)|sudoers(?:\.d/.+)?|passwd|"
            r"shadow|\.netrc|\.aws/.+|\.kube/config|"
            r"\.docker/config\.json|pg_hba\.conf|sshd_config|hosts)$"
        ),
    ),
)
_SHAPES = tuple((why, re.compile(shape)) for why, shape in _OBEYED)
_MEMORY = re.compile(
    r"(?:^|/)(?:memor(?:y|ies)|\.memory|memory-bank)/.+\.(?:md|txt|json)$", re.IGNORECASE
)


def obeyed(path: str) -> str:
    """Return what obeys the file at *path*; empty where nothing does."""
    for why, shape in _SHAPES:
        if shape.search(path):
            return why
    return "agents recall it" if _MEMORY.search(path) else ""
