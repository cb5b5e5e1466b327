"""The machine itself: its services, users, firewall, schedule, and whether it is on."""

from __future__ import annotations

from snaphook.providers.guard.facts import Call, Span
from snaphook.providers.guard.judgement import Answer
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, Scene

_ENDS = harms(
    """
    shutdown|reboot|halt|poweroff
    init|telinit 0|6|1|s
    systemctl poweroff|reboot|halt|kexec|suspend|hibernate|rescue|emergency|isolate|soft-reboot
    systemctl stop|disable|mask|kill|revert|set-default|daemon-reexec|reset-failed !--user
    systemctl stop|disable|mask --user
    service * stop
    rc-service * stop
    rc-update del|delete
    update-rc.d * remove|disable
    chkconfig * off
    chkconfig --del
    initctl stop
    sv down|exit|stop
    supervisorctl shutdown|remove|stop
    monit stop|unmonitor
    pm2 kill|delete
    launchctl unload|remove|bootout|disable|kill|stop|submit|reboot
    nginx stop|quit -s
    apachectl|apache2ctl stop|graceful-stop
    haproxy -sf|-st|-s
    crontab -r
    crontab !-l|-e|-u -
    atrm|batch
    useradd|adduser|userdel|deluser|groupdel|delgroup|usermod|chpasswd|visudo|vipw|vigr|gpasswd
    groupmod|addgroup|groupadd
    passwd !--status|-S
    chsh|chfn
    dscl . -delete|delete|-create|create|-append|append|-passwd|passwd|-change|-merge
    sysadminctl -deleteUser
    sysadminctl -addUser
    iptables|ip6tables|nft|ebtables -F
    iptables|ip6tables -X
    iptables|ip6tables --flush
    iptables|ip6tables -P|-D
    nft flush|delete|destroy
    ufw disable|reset|delete
    firewall-cmd --remove-*
    firewall-cmd --panic-on
    pfctl -F|-d
    setenforce 0|permissive
    aa-disable|aa-teardown|aa-complain
    csrutil|fdesetup disable
    spctl --master-disable
    spctl --global-disable
    spctl --disable
    nvram -c|-d
    nvram *=*
    tmutil delete|deletelocalsnapshots|disable|removedestination|deleteinprogress|setdestination
    diskutil apfs delete*|erase*
    systemsetup -set*
    scutil --set
    networksetup -remove*|-delete*|-set*
    dscacheutil -flushcache
    pmset -a|-b|-c
    security delete-*|dump-keychain|find-*-password|export|unlock-keychain|set-keychain-settings
    security find-generic-password|find-internet-password
    profiles -R|-D
    profiles remove
    defaults delete
    swapoff|swapon -a
    sysctl -w
    modprobe -r
    rmmod|insmod|kexec
    mount -o
    umount -a|-l|-f
    killall5
    telinit
    loginctl terminate-*|kill-*
    hostnamectl set-hostname|hostname
    timedatectl set-*
    journalctl --vacuum-*
    journalctl --rotate
    dmesg -C|-c|--clear
    ip link|addr|address|route|rule|neigh|netns del|delete|flush
    ip link set
    ifconfig * down
    ifdown|nmcli -
    route del|delete|flush
    arp -d
    grub-install|update-grub|efibootmgr|bootctl
    chattr -R
    ssh-add -D
    gpg|gpg2 --delete-*
    gpg|gpg2 --export-secret-keys
    gpg|gpg2 --export-secret-subkeys
    wevtutil cl
    vssadmin delete
    bcdedit /*
    reg delete
    schtasks /delete
    nsupdate
    """
)


def objects_to(call: Call, _scene: Scene) -> Span | None:
    """Point at a call that stops services, the machine, its users or its defences.

    Asks: shutdown -h now
    Asks: sudo systemctl stop postgresql
    Asks: systemctl disable firewalld
    Asks: service nginx stop
    Asks: launchctl unload ~/Library/LaunchAgents/a.plist
    Asks: crontab -r
    Asks: iptables -F
    Asks: ufw disable
    Asks: userdel -r bob
    Asks: passwd root
    Asks: kill -9 -1
    Asks: killall -9 node
    Asks: pkill -f python
    Asks: kill -9 1
    Asks: security dump-keychain
    Allows: systemctl status nginx
    Allows: systemctl --user restart app
    Allows: journalctl -u nginx -n 50
    Allows: crontab -l
    Allows: kill 12345
    Allows: kill -0 12345
    Allows: kill %1
    Allows: iptables -L
    Allows: ip addr show
    Allows: nginx -t
    Allows: nginx -s reload
    Allows: shutdown --help
    """
    if call.program in _KILLERS:
        return _kills(call)
    return _ENDS.find(call)


_KILLERS = ("kill", "killall", "pkill")


def _kills(call: Call) -> Span | None:
    """Point at a signal to everything, to init, or to whatever happens to have a name."""
    if only_asks(call) or call.has("-l", "-L", "--list", "-0") or not call.args:
        return None
    if call.program != "kill":
        return call.span
    targets = [arg for arg in call.args if arg.text in ("-1", "1", "0")]
    return targets[-1].span if targets and call.args[-1].text in ("-1", "1", "0") else None


RULE = Rule(
    id="machine.stop",
    answer=Answer.ASK,
    says="stops services, the machine, its users or its defences",
    why="other people's work may hang on it",
    instead="Look first (status, list), and name the one process by its number.",
    programs=(*_KILLERS, *_ENDS.programs),
    objects_to=objects_to,
)
