"""The verbs of service command lines: which of them look, which change, which destroy.

gcloud compute instances delete web-1  ->  DESTROYS, 'delete'

Services agree on their verbs far more than on anything else, so one grammar reads them all:
`noun noun verb name`, `verb-noun`, `noun verb`. The first word that is a verb decides; what
follows it are names.
"""

from __future__ import annotations

import re
from enum import Enum

from snaphook.shell.facts import Arg, Call


class VerbKind(Enum):
    """What a verb does to a service."""

    LOOKS = "looks"
    CHANGES = "changes"
    DESTROYS = "destroys"


_LOOKS = """
    access browse cat check compare count decode describe detect diff doctor download echo
    estimate exists explain export fetch filter find fmt get grep head help info inspect init lint list
    locate log login logout logs lookup ls me open peek ping plan poll presign preview print ps pull query
    scan    read receive render report resolve search select serve show simulate stat status summarize
    tail test top trace tree validate verify version view wait watch whoami which dev
"""
_DESTROYS = """
    abandon archive cancel-all clean cleanup clear decommission del delete deletefile deprovision
    deregister destroy detach-delete disable dismantle drain drop empty erase evict expire-now
    failover flush flushall force-delete forget format-disk invalidate kill nuke obliterate
    offboard prune purge rb recycle remove repo-delete reset revoke rm rmdir rollback shutdown
    teardown tear-down terminate trash truncate undeploy undeprovision uninstall unpublish
    unregister unset wipe zap cancel-deletion-protection
"""
_CHANGES = """
    activate add allocate allow apply approve assign associate assume attach authorize
    backup bind block build cancel change clone complete configure connect convert copy cp create
    deactivate deallocate demote deploy detach disassociate edit enable encrypt exec execute expand extend
    fail force grant import import-keys increase increment insert invoke issue join label launch
    link lock make mb merge migrate modify mount move mv new open-port patch pause post promote provision
    publish push put reboot rebuild recover redeploy refresh regenerate register reimport reissue
    reject release rename renew repair replace request resize restart restore resume retire retry
    rewrite roll rotate run save scale scp send set set-default sign signal simulate-failure split
    ssh start stop submit subscribe suspend swap switch sync tag taint transfer trigger unarchive
    unassign unbind unblock unlink unlock unsubscribe untag up update upgrade upload upsert use
    write
"""
_NOUNS = """
    backup build connect deploy export import issue label link load lock log logs plan push query register
    release report request restore run service snapshot sync tag test version
"""
"""Verbs that services also use as nouns: `velero backup delete`. A verb after them decides."""
_ALSO_NOUNS = frozenset(_NOUNS.split())
_PARTS = re.compile(r"[-_:]")
_KINDS: dict[str, VerbKind] = {
    **dict.fromkeys(_CHANGES.split(), VerbKind.CHANGES),
    **dict.fromkeys(_DESTROYS.split(), VerbKind.DESTROYS),
    **dict.fromkeys(_LOOKS.split(), VerbKind.LOOKS),
}


def kind(word: str) -> VerbKind | None:
    """Return what the verb *word* does, or nothing when it is no verb."""
    return _KINDS.get(word.lower())


def compound(word: str) -> VerbKind | None:
    """Return what a word like 'delete-batch' or 'batch-get-item' does: a part of it tells."""
    parts = _PARTS.split(word.lower())
    if len(parts) < 2:
        return None
    first = parts[1] if parts[0] in ("batch", "admin", "bulk") else parts[0]
    return _KINDS.get(first) or _KINDS.get(parts[-1])


def verb(call: Call, skip: int = 0) -> tuple[VerbKind, Arg] | None:
    """Return the verb among the operands of *call* after *skip* of them, and what it does."""
    words = call.operands[skip : skip + 6]
    noun: tuple[VerbKind, Arg] | None = None
    for arg in words:
        found = kind(arg.text)
        if found is None:
            continue
        if arg.text not in _ALSO_NOUNS:
            return found, arg
        noun = noun or (found, arg)
    for arg in words:
        found = compound(arg.text)
        if found is VerbKind.DESTROYS or (found is not None and noun is None):
            return found, arg
    return noun
