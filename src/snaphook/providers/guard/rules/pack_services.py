"""The pack `services`: what runs on this machine is looked at freely, and changed by asking."""

from __future__ import annotations

from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.pack import asking
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call, Span

_CHANGES = harms("""
    systemctl start|stop|restart|reload|try-restart|reload-or-restart|enable|disable|mask|unmask
    systemctl daemon-reload|daemon-reexec|set-property|edit|reset-failed|kill|isolate|link|preset
    systemctl set-environment|unset-environment|import-environment|add-wants|freeze|thaw|clean
    service * start|stop|restart|reload|force-reload
    rc-service|rc-update * start|stop|restart|add|del
    launchctl load|unload|start|stop|kickstart|bootstrap|bootout|enable|disable|remove|setenv|kill
    brew services start|stop|restart|run|cleanup|kill
    supervisorctl start|stop|restart|reload|update|reread|shutdown|add|remove
    pm2 start|stop|restart|reload|delete|kill|scale|save|startup|unstartup|flush
    monit start|stop|restart|reload|unmonitor|quit
    nginx -s
    apachectl|apache2ctl start|stop|restart|graceful
    a2ensite|a2dissite|a2enmod|a2dismod
    loginctl enable-linger|disable-linger|terminate-*|kill-*
    crontab -r|-e
    systemd-run|systemd-tmpfiles --create|--remove|--clean
    sv|runsvctrl up|down|restart|once|term|kill
    initctl start|stop|restart|reload
""")
_MACHINE = harms("""
    apt|apt-get|aptitude install|upgrade|full-upgrade|dist-upgrade|remove|purge|autoremove
    dnf|yum|zypper install|in|update|up|upgrade|remove|downgrade|groupinstall
    pacman -S|-Syu|-Sy|-U|-R
    apk add|del|upgrade
    snap|flatpak install|remove|uninstall|refresh|update|revert|disable|enable
    dpkg -i|--install|-r|-P|--configure
    rpm -i|-U|-F|-e
    port install|uninstall|upgrade
    add-apt-repository|apt-key
    sysctl -w|-p|--system
    modprobe|insmod|rmmod
    mount|umount|swapon|swapoff|losetup
    ufw enable|disable|allow|deny|delete|reset|reject|limit
    firewall-cmd --add-*|--remove-*|--reload|--set-*
    iptables|ip6tables -A|-I|-D|-F|-P|-X|-N
    nft add|delete|flush|insert|replace
    ip addr|address|link|route|rule|netns add|del|delete|set|flush|replace
    nmcli con|connection|dev|device|radio|networking up|down|add|delete|modify|off|on|disconnect
    nmcli con|connection|dev|device|radio|networking reload
    hostnamectl set-hostname|hostname
    timedatectl set-time|set-timezone|set-ntp
    localectl set-locale|set-keymap
    useradd|userdel|usermod|adduser|deluser|groupadd|groupdel|passwd|chpasswd
    update-alternatives --set|--config|--install|--remove
    update-rc.d|chkconfig|update-grub|update-initramfs|dpkg-reconfigure
    setenforce|setsebool|semanage|restorecon|aa-enforce|aa-complain|aa-disable
    shutdown|reboot|halt|poweroff
    renice|ionice|chrt -p
    kill|pkill|killall|xkill
    defaults write|delete
    softwareupdate -i|--install
    scutil --set
    pmset *
""")


def changes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a service that would start, stop or change.

    Asks: systemctl restart nginx
    Asks: sudo service postgresql reload
    Asks: brew services start redis
    Asks: pm2 restart all
    Allows: systemctl status nginx
    Allows: systemctl list-units --failed
    Allows: journalctl -u nginx -n 50
    Allows: pm2 list
    Allows: brew services list
    """
    return _CHANGES.find(call)


def installs(call: Call, _scene: RuleContext) -> Span | None:
    """Point at packages, kernel, network or users of this machine being changed.

    Asks: sudo apt-get install -y jq
    Asks: sysctl -w net.ipv4.ip_forward=1
    Asks: ip link set eth0 down
    Asks: kill 1234
    Allows: apt list --installed
    Allows: apt-get install -s jq --dry-run
    Allows: sysctl -a
    Allows: ip addr show
    Allows: ps aux
    """
    return _MACHINE.find(call)


RULES = (
    asking(
        "services",
        "change",
        says="starts, stops or changes a system service",
        why="other users of this machine may need it",
        instead="status, list and logs are allowed.",
        programs=_CHANGES.programs,
        objects_to=changes,
    ),
    asking(
        "services",
        "machine",
        says="changes this machine's packages, kernel, network, users or processes",
        why="it affects more than this project",
        instead="Show the command to the user.",
        programs=_MACHINE.programs,
        objects_to=installs,
    ),
)
