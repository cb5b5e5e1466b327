"""Settings of a workstation: daemons, keys, boot, network, and Apple's own tools."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_HARMS = harms(
    """
    rc-update del|delete
    initctl stop
    sv down|exit|stop
    supervisorctl shutdown|remove|stop
    pm2 kill|delete
    launchctl kill|stop|reboot
    nginx stop|quit -s
    apachectl|apache2ctl stop|graceful-stop
    haproxy -s
    fdesetup disable
    spctl --disable
    nvram -c|-d
    nvram *=*
    tmutil delete*|disable|removedestination|setdestination|restore
    diskutil apfs delete*|erase*
    systemsetup -set*
    scutil --set
    networksetup -remove*|-delete*|-set*
    dscl . delete|create|append|passwd|-append|-change|-merge
    pmset -a|-b|-c
    profiles -R|-D
    profiles remove
    defaults delete
    security set-keychain-settings|add-*|import|authorizationdb
    ip addr|address|rule|neigh|netns|tunnel|link|route del|delete|flush
    route del|delete|flush
    arp -d
    loginctl terminate-*|kill-*
    grub-install|efibootmgr|bootctl
    ssh-add -D|-d
    ssh-keygen -R
    gpg|gpg2 --delete-keys|--delete-secret-keys|--delete-secret-and-public-key
    gpg|gpg2 --export-secret-keys|--export-secret-subkeys
    vssadmin delete
    bcdedit
    reg delete
    schtasks /delete
    nsupdate
    """
)


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that changes how a workstation starts, connects or proves who it is.

    Asks: supervisorctl stop all
    Asks: nginx -s stop
    Asks: nvram -c
    Asks: tmutil delete /Volumes/Backup
    Asks: defaults delete com.apple.dock
    Asks: ssh-add -D
    Asks: gpg --export-secret-keys me
    Asks: ip route del default
    Allows: nginx -t
    Allows: nginx -s reload
    Allows: supervisorctl status
    Allows: defaults read com.apple.dock
    Allows: ssh-add -l
    Allows: ip addr show
    Allows: gpg --verify file.sig
    Allows: tmutil listbackups
    """
    return _HARMS.find(call)


RULE = Rule(
    id="machine.settings",
    answer=GuardAnswer.ASK,
    says="changes this machine's boot, network or identity settings",
    why="the user may be locked out",
    instead="Check with status or list; let the user change it.",
    programs=_HARMS.programs,
    objects_to=objects_to,
)
