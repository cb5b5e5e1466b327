"""What must not happen on Windows."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import Harms, harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_WIPES = harms("""
    format-volume|clear-disk|initialize-disk|remove-partition|reset-physicaldisk|remove-volume
    vssadmin|wbadmin delete
    wmic shadowcopy|product delete
    reg delete
    cipher /w*
    clear-recyclebin
    remove-itemproperty
    clear-content|clear-item
    clear-eventlog|wevtutil
    remove-localuser|remove-adobject|remove-aduser
    ntdsutil
""")
_SETTINGS = harms("""
    bcdedit|bootrec|reagentc
    reg add|import|save|restore|load
    set-executionpolicy|set-mppreference|add-mppreference|uninstall-*
    stop-computer|restart-computer
    schtasks /create|/delete|/change
    register-scheduledtask|new-service|set-service|stop-service|remove-service
    sc create|delete|config|stop
    netsh advfirewall|firewall|interface set|add|delete|reset|import
    netsh * * set|add|delete|reset
    net stop
    takeown|icacls|attrib
    set-itemproperty|new-itemproperty
    set-acl|set-netfirewallprofile|disable-*
    regsvr32|mshta|rundll32|certutil|bitsadmin|cmdkey|wscript|cscript
    add-type
    start-process|saps * runas
    enable-psremoting|new-psdrive
    setx
""")


def wipes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a disk, a shadow copy, the registry or a log that would be wiped.

    Blocks: Format-Volume -DriveLetter C
    Blocks: vssadmin delete shadows /all /quiet
    Blocks: reg delete HKLM/Software /f
    Allows: reg query HKLM/Software
    Allows: Get-Volume
    """
    return _found(_WIPES, call)


def changes_settings(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a setting, a service or a task of the machine that would change.

    Asks: Set-ExecutionPolicy Bypass -Force
    Asks: schtasks /create /tn x /tr evil.exe /sc onlogon
    Asks: bcdedit /set safeboot minimal
    Asks: Stop-Computer -Force
    Allows: Get-ExecutionPolicy
    Allows: schtasks /query
    Allows: sc query
    """
    return _found(_SETTINGS, call)


def _found(table: Harms, call: Call) -> Span | None:
    if call.program in ("bcdedit", "reagentc") and not any(
        arg.text[:1] == "/" for arg in call.args
    ):
        return None
    return table.find(call)


RULES = (
    Rule(
        id="windows.wipe",
        answer=GuardAnswer.DENY,
        says="wipes a Windows disk, backups, the registry or a log",
        why="it cannot be restored",
        instead="Name the exact file.",
        programs=_WIPES.programs,
        objects_to=wipes,
    ),
    Rule(
        id="windows.settings",
        answer=GuardAnswer.ASK,
        says="changes Windows settings, services or scheduled tasks",
        why="the machine depends on them",
        instead="Show the command to the user.",
        programs=_SETTINGS.programs,
        objects_to=changes_settings,
    ),
)
