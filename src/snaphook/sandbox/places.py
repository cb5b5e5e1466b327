"""The places a policy is made of: caches, secrets, protected names, sockets, devices.

Names only, relative to a home or a project. Whether a file is a secret, and what the project is, say
the guard's own classes (see ``build``); a test holds these lists against them.
"""

from collections.abc import Mapping

TEMPORARY = ("/tmp", "/var/tmp", "/dev/shm")  # noqa: S108 - the kernel's names of them

DEVICES = (
    "/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty", "/dev/ptmx",
    "/dev/pts", "/dev/kvm", "/dev/dri", "/dev/kfd", "/dev/nvidia0", "/dev/nvidiactl",
    "/dev/nvidia-uvm", "/dev/nvidia-modeset",
)  # fmt: skip
"""Devices that harm nobody when written to; disks, memory and input are not among them."""

_CACHE_TEXT = """
    .cache .npm .npm/_cacache .node-gyp .yarn .yarn-cache .pnpm-store .pnpm-state .bun/install/cache
    .deno .cargo/registry .cargo/git go/pkg .config/go/telemetry .gradle .m2/repository .ivy2 .sbt
    .coursier .nuget/packages .dotnet .local/share/NuGet .local/share/pnpm/store .local/share/uv/python
    .local/share/virtualenv .local/share/virtualenvs .local/share/pypoetry .local/share/hatch
    .local/share/pdm .local/share/gem .local/state .local/share/mise/installs .pub-cache .dart-tool
    .mix .hex .gem .bundle/cache .cpan .cpanm .composer/cache .stack .cabal/packages .cabal/store
    .opam/download-cache .conan .conan2 .ccache .sccache .nv .ipython .matplotlib .keras
    .terraform.d/plugin-cache .electron .electron-gyp .cypress .expo .android/cache .konan .swiftpm
    .julia .rustup/tmp .rustup/downloads .pytest_cache .mypy_cache .pylint.d .phpunit .zig-cache
    Library/Caches Library/Developer/Xcode/DerivedData
"""
CACHES = tuple(_CACHE_TEXT.split())
"""Below a home: what package managers and compilers write. Folders of programs (``.cargo/bin``,
``.local/bin``, ``go/bin``, toolchains) are left out: whoever writes there runs later, unconfined."""

CACHE_VARIABLES = (
    "XDG_CACHE_HOME", "XDG_STATE_HOME", "npm_config_cache", "NPM_CONFIG_CACHE", "YARN_CACHE_FOLDER",
    "PIP_CACHE_DIR", "UV_CACHE_DIR", "UV_PYTHON_INSTALL_DIR", "POETRY_CACHE_DIR", "GOCACHE", "GOMODCACHE",
    "GOTMPDIR", "GRADLE_USER_HOME", "CARGO_TARGET_DIR", "CCACHE_DIR", "SCCACHE_DIR", "HF_HOME",
    "TORCH_HOME", "NUGET_PACKAGES", "COMPOSER_CACHE_DIR", "DENO_DIR", "BUN_INSTALL_CACHE_DIR",
    "PUB_CACHE", "STACK_ROOT", "PLAYWRIGHT_BROWSERS_PATH", "CYPRESS_CACHE_FOLDER", "VIRTUAL_ENV",
    "CONDA_PREFIX", "UV_PROJECT_ENVIRONMENT", "MYPY_CACHE_DIR", "RUFF_CACHE_DIR", "TMPDIR", "TEMP", "TMP",
)  # fmt: skip
"""Variables that move such a folder elsewhere, or name an environment that is installed into."""

NESTED_CACHES: Mapping[str, tuple[str, ...]] = {
    "CARGO_HOME": ("registry", "git"),
    "GOPATH": ("pkg",),
}
"""Variables whose folder holds programs as well, and which parts of it are caches."""

CACHE_FILES = (".cargo/.package-cache", ".cargo/.package-cache-mutate", ".cargo/.global-cache")
"""Single files that a package manager locks or writes beside its cache."""

MADE_FOR: Mapping[str, tuple[str, ...]] = {
    "npm": (".npm",),
    "cargo": (".cargo/registry", ".cargo/git"),
    "go": ("go/pkg", ".config/go/telemetry"),
    "pnpm": (".local/share/pnpm/store",),
    "mvn": (".m2/repository",),
    "gradle": (".gradle",),
    "dotnet": (".nuget/packages", ".dotnet"),
    "uv": (".local/share/uv/python",),
}
"""What is made beforehand where the program is installed: a home itself cannot be written to."""

_UNREADABLE = """
    .ssh .gnupg .aws .azure .config/gcloud .kube .docker/config.json .config/gh .config/hub .config/op
    .config/git/credentials .config/doctl .config/rclone .config/pypoetry/auth.toml .config/glab-cli
    .config/containers/auth.json .netrc _netrc .pgpass .my.cnf .mylogin.cnf .git-credentials .pypirc
    .vault-token .s3cfg .boto .cargo/credentials .cargo/credentials.toml .gem/credentials .password-store
    .claude/.credentials.json .claude.json .codex/auth.json .gemini/oauth_creds.json
    .gemini/google_accounts.json .gemini/mcp-oauth-tokens.json .qwen/oauth_creds.json .copilot/config.json
    .config/github-copilot .local/share/opencode/auth.json .config/cursor/auth.json .local/share/goose
    .local/share/keyrings .local/share/kwalletd .mozilla .thunderbird .config/google-chrome
    .config/chromium .config/BraveSoftware .config/microsoft-edge .config/vivaldi .config/opera
    .bash_history .zsh_history .psql_history .mysql_history .python_history .node_repl_history
    .rediscli_history .sqlite_history .local/share/fish/fish_history .terraform.d/credentials.tfrc.json
    .oci .ibmcloud .linode-cli .config/linode-cli .config/hcloud .snowflake .config/snowflake .databrickscfg
    .fly .config/netlify .local/share/com.vercel.cli .config/heroku .pulumi/credentials.json
    .config/stripe .config/ngrok .ngrok2 .1password .config/1Password .config/Bitwarden
    .electrum .bitcoin .ethereum .config/solana .config/sops .config/age .putty .kaggle
    .huggingface/token .cache/huggingface/token .composer/auth.json .config/composer/auth.json
    .config/nats .config/wrangler .wrangler .config/openstack .config/sentry .sentryclirc
    Library/Keychains Library/Cookies Library/Messages Library/Safari
"""
SECRETS = tuple(_UNREADABLE.split())
"""Below a home: keys, cloud credentials, agents' tokens, browser stores, what was typed."""

SPACED_SECRETS = (
    "Library/Application Support/Google/Chrome",
    "Library/Application Support/Firefox",
    "Library/Application Support/BraveSoftware",
    ".config/Bitwarden CLI",
)

SECRETS_IF_THEY_HOLD_ONE = (
    ".npmrc", ".yarnrc.yml", ".m2/settings.xml", ".gradle/gradle.properties", ".bundle/config",
    ".config/pip/pip.conf", ".condarc", ".config/uv/uv.toml",
)  # fmt: skip
"""Settings that a build needs, and that hold a password on some machines and none on others."""

SYSTEM_SECRETS = (
    "/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d",
    "/etc/ssl/private", "/etc/kubernetes", "/run/secrets", "/var/run/secrets", "/etc/master.passwd",
)  # fmt: skip

SECRET_VARIABLES = (
    "ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "OPENAI_API_KEY",
    "CODEX_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "COPILOT_GITHUB_TOKEN", "GH_TOKEN",
    "GITHUB_TOKEN", "GITLAB_TOKEN", "OPENROUTER_API_KEY", "MISTRAL_API_KEY", "XAI_API_KEY",
    "CURSOR_API_KEY", "DASHSCOPE_API_KEY", "AWS_ACCESS_KEY_ID", "AWS_SECRET_ACCESS_KEY",
    "AWS_SESSION_TOKEN", "AZURE_CLIENT_SECRET", "AZURE_OPENAI_API_KEY", "GOOGLE_OAUTH_ACCESS_TOKEN",
    "DIGITALOCEAN_ACCESS_TOKEN", "CLOUDFLARE_API_TOKEN", "HCLOUD_TOKEN", "VAULT_TOKEN", "HEROKU_API_KEY",
)  # fmt: skip
"""Tokens of agents and clouds; a project's own variables stay."""

SOCKET_VARIABLES = (
    "SSH_AUTH_SOCK", "SSH_AGENT_PID", "GPG_AGENT_INFO", "DBUS_SESSION_BUS_ADDRESS",
    "DBUS_SYSTEM_BUS_ADDRESS", "DOCKER_HOST", "CONTAINER_HOST", "TMUX", "TMUX_PANE", "STY",
    "WAYLAND_DISPLAY", "XDG_RUNTIME_DIR", "SNAPHOOK_SOCKET", "VSCODE_IPC_HOOK_CLI", "WSL_INTEROP",
    "NVIM", "EMACS_SOCKET_NAME", "KUBECONFIG",
)  # fmt: skip
"""Variables that lead to somebody who would act for the command outside; sockets they name are hidden."""

PROTECTED = (
    "snaphook.toml", "snaphook.local.toml", ".snaphook", ".mcp.json", "opencode.json", "opencode.jsonc",
    ".claude/settings.json", ".claude/settings.local.json", ".claude/hooks", ".claude/agents",
    ".claude/commands", ".claude/skills", ".claude/plugins", ".codex/config.toml", ".codex/hooks.json",
    ".codex/hooks", ".codex/rules", ".gemini/settings.json", ".gemini/hooks", ".gemini/policies",
    ".gemini/extensions", ".cursor/hooks.json", ".cursor/hooks", ".cursor/rules", ".cursor/mcp.json",
    ".cursor/cli.json", ".copilot/config.json", ".copilot/hooks", ".copilot/settings.json",
    ".github/hooks", ".wave/settings.json", ".wave/settings.local.json", ".wave/hooks",
    ".sauna/hooks.json", ".opencode/plugin", ".opencode/plugins", ".opencode/opencode.json",
    ".qwen/settings.json", ".factory/settings.json", ".factory/hooks", ".vscode/settings.json",
    ".vscode/tasks.json", ".vscode/mcp.json", ".kiro/hooks", ".kiro/settings", ".windsurf/hooks.json",
    ".grok/settings.json", ".grok/hooks", ".clinerules/hooks", ".cline/hooks", ".factory/hooks.json",
    ".augment/settings.json",
    ".kilo/plugin", ".kilo/plugins", ".kilo/kilo.json", ".agents/hooks.json", ".agents/plugins",
)  # fmt: skip
"""In a project: settings that decide what an agent or its guard does next."""

PROTECTED_GIT = ("config", "config.worktree", "hooks", "info/attributes")
"""In a git directory: what makes git run a program. Submodules have the same below ``modules/``."""

SAFE_SOCKETS = (
    "/run/postgresql/", "/var/run/postgresql/", "/run/mysqld/", "/var/lib/mysql/", "/run/redis",
    "/run/memcached", "/run/nscd/", "/run/systemd/resolve/", "/run/systemd/userdb/", "/dev/log",
    "/run/systemd/journal/", "/nix/var/nix/daemon-socket/", "/run/mongodb", "/run/rabbitmq",
)  # fmt: skip
"""Servers that tests use, and that do not run commands for whoever asks."""

NAME_SERVICES = ("/run/systemd/resolve", "/run/nscd", "/var/run/nscd", "/run/avahi-daemon")
"""Who looks up names for others: a name that is looked up can carry a secret away."""

RESOLVER = "/etc/resolv.conf"

LEADING_OUTSIDE = (
    "agent", "ssh", "docker", "podman", "containerd", "dbus", "bus", "tmux", "screen", "gpg",
    "snaphook", "X11-unix", "ICE-unix", "vscode", "emacs", "nvim", "keyring", "systemd", "wayland",
)  # fmt: skip
"""Among temporary files, sockets with one of these in their path are hidden; others are a test's."""
