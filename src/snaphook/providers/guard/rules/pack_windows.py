"""The pack `windows`: cmdlets that look are free, those that change something are asked about."""

from __future__ import annotations

from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.pack import asking
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call, Span

_SHELLS = frozenset({"pwsh", "powershell", "cmd"})
_VERBS_TEXT = """
    set new remove stop start restart suspend resume install uninstall update add clear disable enable
    register unregister invoke move rename copy grant revoke block unblock reset restore mount
    dismount import save send push publish deploy repair optimize initialize format expand edit
    lock unlock protect unprotect connect disconnect enter debug backup checkpoint complete approve deny
"""
_VERBS = frozenset(_VERBS_TEXT.split())
_FREE_TEXT = """
    set-location start-sleep new-object new-timespan add-member set-variable new-variable
    clear-host import-module import-csv import-clixml format-table format-list format-wide format-custom
    start-transcript stop-transcript format-hex set-strictmode clear-variable remove-variable update-typedata
    import-powershelldatafile remove-module new-guid push-location update-formatdata set-psdebug
"""
_FREE = frozenset(_FREE_TEXT.split())
"""Cmdlets that change nothing but the session they run in."""
_TOOLS = harms("""
    del|erase|rd|rmdir|move|ren|format|diskpart|robocopy|xcopy
    taskkill|tskill|logoff|shutdown
    net start|stop|user|localgroup|use|share|accounts
    sc|sc.exe start|stop|create|delete|config|failure|pause|continue
    reg add|delete|import|restore|load|unload|copy|save
    schtasks /create|/delete|/change|/run|/end
    netsh advfirewall|firewall|interface|winhttp|wlan|http set|add|delete|reset
    dism|sfc|chkdsk|defrag|bcdedit|bootrec|cipher|compact|fsutil|mountvol|vssadmin|wbadmin
    msiexec|winget|choco|scoop install|uninstall|upgrade|update|/i|/x|remove|import
    wsl --unregister|--shutdown|--terminate|--install|--import
    icacls|takeown|attrib|cacls|subst|setx|assoc|ftype|mklink|label|vol
    regedit|regsvr32|rundll32|mshta|wscript|cscript|certutil|bitsadmin|cmdkey|gpupdate|secedit
    wmic process|service|product|os|shadowcopy call|delete
    iisreset|appcmd
    powercfg /s|/h|/x|-h|-s|-x
""")


def cmdlets(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a cmdlet of PowerShell whose verb changes something.

    Asks: pwsh -Command "Restart-Service Spooler"
    Asks: pwsh -Command "Remove-Item a.txt"
    Asks: pwsh -Command "Get-Process chrome | Stop-Process"
    Asks: powershell -Command "Install-Module Pester"
    Allows: pwsh -Command "Get-Service | Where-Object Status -eq Running"
    Allows: pwsh -Command "Remove-Item a.txt -WhatIf"
    Allows: pwsh -Command "Set-Location src; Get-ChildItem"
    """
    verb, dash, _ = call.program.partition("-")
    if not dash or verb not in _VERBS or call.program in _FREE or not _SHELLS & set(call.via):
        return None
    rehearsed = any(arg.text.lower() == "-whatif" for arg in call.args)
    return None if rehearsed or only_asks(call) else call.span


def tools(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a program of Windows that changes services, registry, disks or packages.

    Asks: net start spooler
    Asks: winget install Git.Git
    Asks: robocopy src dst /MIR
    Asks: schtasks /run /tn backup
    Allows: net view
    Allows: sc query
    Allows: reg query HKCU/Software
    Allows: winget list
    """
    return _TOOLS.find(call)


RULES = (
    asking(
        "windows",
        "cmdlets",
        says="changes something through PowerShell",
        why="it can affect the whole machine",
        instead="Add -WhatIf to see what it would do.",
        programs=("*",),
        objects_to=cmdlets,
    ),
    asking(
        "windows",
        "tools",
        says="changes Windows services, registry, disks or packages",
        why="the machine depends on them",
        instead="Show the command to the user.",
        programs=_TOOLS.programs,
        objects_to=tools,
    ),
)
