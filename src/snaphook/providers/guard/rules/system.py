"""Bringing the machine down, or keeping a foothold on it."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span

_HALTS = harms("""
    shutdown !-c|--help
    reboot|halt|poweroff
    telinit|init 0|1|6
    systemctl poweroff|reboot|halt|kexec|suspend|hibernate|rescue|emergency|isolate
    kexec
    sysrq
""")
_SERVICES = harms("""
    systemctl stop|disable|mask|kill|revert|set-default|edit|link|enable
    service * stop|disable
    launchctl unload|remove|bootout|disable|load|bootstrap|submit|enable
    chkconfig * off
    update-rc.d * remove|disable
    rc-service * stop
    insmod|modprobe|rmmod
    sysctl -w|-p
    ufw disable|reset|delete|allow|deny
    iptables -F|--flush|-X|-P|-D|-A|-I
    ip6tables -F|--flush|-X|-P|-D|-A|-I
    nft flush|delete|add
    firewall-cmd --remove-*|--panic-on
    pfctl -d|-F
    setenforce 0|permissive|Permissive
    aa-teardown
    aa-disable
    auditctl -D|-e
    csrutil disable|clear
    csrutil authenticated-root disable
    networksetup -set*|-remove*|-delete*|-create*|-add*
    nvram *=*
    mise implode
    chezmoi purge|destroy
    defaults delete
    spctl --master-disable|--global-disable
    swapoff
    ip link delete|set
    ip route flush|del
    ifconfig * down
    timedatectl set-*
    hostnamectl set-hostname
    killall5
    npm|pnpm|yarn config set registry|script-shell
    pip|pip3 config set
    mount remount*
    crontab -r|-e
    crontab *
    ssh-copy-id
    nvram -c|-d
    update-grub
    umount
    atrm
    at !-l|-c|-V
    batch
    visudo
""")
_USERS = harms("""
    userdel|deluser|groupdel|delgroup
    useradd|adduser|usermod|groupadd|gpasswd|addgroup|groupmod
    passwd|chpasswd|chage|chsh|vipw|vigr
    dscl . -delete|-create|-passwd
    sysadminctl -deleteUser|-addUser|-resetPasswordFor
    pwck
    pam-auth-update
    security delete-*|unlock-keychain|dump-keychain|find-generic-password|find-internet-password|export
    net user|localgroup
""")
_PACKAGES = harms("""
    apt|apt-get|aptitude remove|purge|autoremove|dist-upgrade !-s|--simulate|--dry-run|--just-print
    yum|dnf|zypper remove|erase|autoremove
    pacman -R|-Rns|-Rs|-Rdd|-Rcns
    dpkg -r|-P|--purge|--remove|--force-all
    rpm -e|--erase
    snap remove
    apk del
    emerge -C|--unmerge
    brew uninstall|remove|rm|autoremove
    port uninstall
    flatpak uninstall
    nix-collect-garbage -d|--delete-old
    nix-env -e|--uninstall
    winget|choco|scoop uninstall
""")
_HISTORY = harms("""
    history -c|-d|-w
    journalctl --vacuum-*|--rotate
    wevtutil cl
    logrotate -f|--force
    dmesg -C|-c|--clear
    fc -p
""")
_KILLS = frozenset({"killall", "killall5", "pkill"})
_NEEDED_TEXT = """
    init systemd launchd sshd dbus-daemon dbus NetworkManager nginx dockerd containerd docker kubelet
    WindowServer loginwindow Finder Dock SystemUIServer explorer Xorg
    gnome-shell login getty cron crond postgres mysqld bash zsh sh tmux screen
    claude codex gemini cursor cursor-agent copilot opencode qwen droid goose crush windsurf kiro-cli
    Code code code-insiders Electron idea pycharm webstorm Terminal iTerm2 kitty alacritty wezterm ghostty
    gnome-terminal-server konsole python python3 java mongod redis-server Safari firefox chrome
"""
_NEEDED = frozenset(_NEEDED_TEXT.split())


def halts(call: Call, _scene: RuleContext) -> Span | None:
    """Point at what turns the machine off.

    Asks: sudo reboot
    Asks: shutdown -h now
    Asks: systemctl poweroff
    Allows: shutdown -c
    Allows: systemctl status nginx
    """
    return _HALTS.find(call)


def changes_services(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a service, a firewall or a kernel setting that would change.

    Asks: sudo systemctl stop sshd
    Asks: iptables -F
    Asks: crontab -r
    Asks: setenforce 0
    Asks: crontab < jobs
    Asks: systemd-run --user --on-calendar=hourly /tmp/x
    Asks: echo '* * * * * /tmp/x' | crontab -
    Allows: systemctl status sshd
    Allows: crontab -l
    Allows: iptables -L
    """
    if call.program == "crontab" and call.has("-l"):
        return None
    if call.program == "crontab" and not call.args and (call.stdin is not None or call.upstream):
        return call.span
    if call.program == "systemd-run" and call.has(
        "--on-calendar", "--on-active", "--on-boot", "--on-startup"
    ):
        return call.span
    return _SERVICES.find(call)


def changes_users(call: Call, _scene: RuleContext) -> Span | None:
    """Point at an account, a group or a password that would change.

    Asks: sudo userdel bob
    Asks: usermod -aG docker me
    Asks: echo root:x | sudo chpasswd
    Allows: id
    Allows: getent passwd me
    """
    return None if call.has("--status", "-S") and call.program == "passwd" else _USERS.find(call)


def removes_packages(call: Call, _scene: RuleContext) -> Span | None:
    """Point at software that would be removed from the machine.

    Asks: sudo apt-get purge nginx
    Asks: pacman -Rns foo
    Allows: sudo apt-get install -y jq
    Allows: brew install jq
    Allows: apt-get -s remove nginx
    Allows: apt list --installed
    """
    return _PACKAGES.find(call)


def covers_tracks(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a record of what was done that would vanish.

    Asks: history -c
    Asks: journalctl --vacuum-time=1s
    Asks: unset HISTFILE
    Allows: history
    Allows: journalctl -u nginx
    """
    if call.program == "unset":
        named = [
            arg for arg in call.operands if arg.text in ("HISTFILE", "HISTSIZE", "PROMPT_COMMAND")
        ]
        return named[0].span if named else None
    if call.program in ("export", "declare", "set"):
        shut = ("HISTFILE=/dev/null", "HISTFILE=", "HISTSIZE=0", "HISTFILESIZE=0")
        named = [arg for arg in call.args if arg.text in shut]
        return named[0].span if named else None
    return _HISTORY.find(call)


def kills_many(call: Call, scene: RuleContext) -> Span | None:
    """Point at processes that would end all at once: everyone's, a user's, or what all need.

    Asks: pkill -9 -u dev
    Asks: pkill -f .
    Asks: killall sshd
    Asks: kill -9 -1
    Asks: kill -9 1
    Asks: pkill -f claude
    Asks: killall python3
    Asks: killall Code
    Asks: kill $PPID
    Allows: killall node
    Allows: pkill -f 'next dev'
    Allows: kill -9 12345
    Allows: kill $(lsof -ti:3000)
    """
    if only_asks(call) or any(arg.text in ("-0", "-l", "-L") for arg in call.args):
        return None
    if call.program in _KILLS:
        broad = [
            arg
            for arg in call.args
            if arg.text in _NEEDED or arg.text in (".", ".*", "-u", "-U", "--uid")
        ]
        return broad[0].span if broad else None
    if _PARENT.search(scene.command[call.span.start : call.span.end]):
        return call.span
    rest = [arg for at, arg in enumerate(call.args) if not (at == 0 and arg.text.startswith("-"))]
    broad = [arg for arg in rest if arg.text in ("-1", "1", "0")]
    return broad[0].span if broad and call.args[0].text not in ("-s", "-n") else None


_PARENT = re.compile(r"\$\{?PPID\b")
"""The shell's parent: the agent itself."""


def bombs(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at a function that starts itself aside, for ever.

    Blocks: :(){ :|:& };:
    Blocks: bomb() { bomb | bomb & }; bomb
    Allows: f() { echo "$1"; }; f x | cat
    """
    return effect.span


def plants(effect: Effect, _scene: RuleContext) -> Span | None:
    """Point at a file that others run by themselves: at login, on a schedule, on a key press.

    Asks: echo 'evil' >> ~/.bashrc
    Asks: cp job /etc/cron.d/job
    Asks: echo key >> ~/.ssh/authorized_keys
    Asks: cp x.plist ~/Library/LaunchAgents/
    Asks: cp x .git/hooks/pre-commit
    Asks: cp evil ~/.local/bin/sudo
    Allows: cat ~/.bashrc
    Allows: echo x >> notes.md
    """
    path = effect.path
    if any(part in path for part in _STARTS) or path.endswith(_PROFILES):
        return effect.span
    return effect.span if _SHADOWS.search(path) else None


_SHADOWS = re.compile(
    r"/(?:\.local/)?bin/(?:sudo|su|doas|git|ssh|scp|gpg|ls|cat|rm|cp|mv|curl|wget|python3?|pip3?|node|npm|npx|yarn|docker|kubectl"
    r"|make|bash|sh|zsh|gh|aws|terraform|login|passwd|crontab|systemctl)$"
)
"""Names in a folder of one's own programs that take the place of the system's."""


_STARTS = (
    "/.pip/pip.conf",
    "/.config/pip/",
    "/etc/cron",
    "/var/spool/cron",
    "/etc/systemd",
    "/.config/systemd",
    "/LaunchAgents",
    "/LaunchDaemons",
    "/etc/init",
    "/etc/rc",
    "/etc/profile",
    "/.config/autostart",
    "/.ssh/",
    "/etc/ssh",
    "/etc/sudoers",
    "/etc/pam.d",
    "/etc/ld.so",
    "/.git/hooks/",
    "/.gnupg/",
    "/etc/udev",
    "/etc/xdg",
    "/.config/fish",
    "/.local/share/systemd",
    "/.kube/config",
    "/.aws/",
    "/.docker/config",
    "/.config/gcloud",
    "/.netrc",
    "/.npmrc",
    "/.pypirc",
    "/.git-credentials",
)
_PROFILES = (
    "/.bashrc",
    "/.bash_profile",
    "/.profile",
    "/.zshrc",
    "/.zprofile",
    "/.zshenv",
    "/.bash_logout",
    "/.zlogin",
    "/.bash_aliases",
    "/.xinitrc",
    "/.xprofile",
    "/.inputrc",
    "/.vimrc",
    "/.gitconfig",
    "/.tmux.conf",
    "/.bash_login",
    "/.cshrc",
    "/.kshrc",
    "/.login",
)

RULES = (
    Rule(
        id="system.fork-bomb",
        answer=GuardAnswer.DENY,
        says="starts copies of itself without limit (fork bomb)",
        why="the machine stops responding",
        instead="Limit the recursion.",
        acts=(Act.FORK,),
        objects_to=bombs,
    ),
    Rule(
        id="system.halt",
        answer=GuardAnswer.ASK,
        says="shuts down or restarts the machine",
        why="all programs stop, including this session",
        instead="Ask the user.",
        programs=_HALTS.programs,
        objects_to=halts,
    ),
    Rule(
        id="system.services",
        answer=GuardAnswer.ASK,
        says="changes services, firewall, schedule or kernel settings",
        why="other programs depend on them",
        instead="Show the command to the user.",
        programs=(*_SERVICES.programs, "systemd-run"),
        objects_to=changes_services,
    ),
    Rule(
        id="system.users",
        answer=GuardAnswer.ASK,
        says="changes accounts, groups or passwords",
        why="it changes who has access to the machine",
        instead="Show the command to the user.",
        programs=_USERS.programs,
        objects_to=changes_users,
    ),
    Rule(
        id="system.packages",
        answer=GuardAnswer.ASK,
        says="removes software from the machine",
        why="other programs may need it",
        instead="Keep it installed, or ask the user.",
        programs=_PACKAGES.programs,
        objects_to=removes_packages,
    ),
    Rule(
        id="system.history",
        answer=GuardAnswer.ASK,
        says="deletes logs or the shell history",
        why="later investigation becomes impossible",
        instead="Keep the logs.",
        programs=(*_HISTORY.programs, "unset", "export", "declare", "set"),
        objects_to=covers_tracks,
    ),
    Rule(
        id="system.kill",
        answer=GuardAnswer.ASK,
        says="kills many processes, or essential ones",
        why="some may belong to other programs or users",
        instead="Kill one process by its id: 'kill PID'.",
        programs=("kill", *_KILLS),
        objects_to=kills_many,
    ),
    Rule(
        id="system.startup",
        answer=GuardAnswer.ASK,
        says="changes scheduled jobs, startup programs or login access",
        why="it takes effect later, unnoticed",
        instead="Show the change to the user.",
        acts=(Act.OVERWRITE, Act.APPEND, Act.WRITE, Act.LINK, Act.DELETE, Act.MOVE),
        objects_to=plants,
    ),
)
