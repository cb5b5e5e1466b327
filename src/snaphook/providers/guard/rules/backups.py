"""Backups and snapshots: the copies one needs when everything else is gone."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_HARMS = harms(
    """
    restic forget|prune|rewrite|migrate
    restic unlock --remove-all
    restic key remove|passwd
    restic tag --remove
    borg|borgmatic delete|prune|compact|repo-delete|rdelete|recreate|break-lock|key
    borgmatic repo-delete|archive-delete
    rclone sync|delete|deletefile|purge|rmdir|rmdirs|move|moveto|cleanup|dedupe|bisync
    duplicity remove-*|cleanup
    duplicacy prune
    kopia snapshot|policy|repository delete|disconnect
    kopia maintenance run
    tarsnap -d
    tarsnap --nuke
    rdiff-backup --remove-older-than
    rdiff-backup remove
    bup gc|rm|prune-older
    snapper delete|rollback|undochange
    timeshift --delete
    timeshift --restore
    git-annex drop|dropunused|unannex|uninit
    dvc gc|remove|destroy
    velero backup|restore|schedule|snapshot-location|snapshot|uninstall delete
    velero uninstall
    barman delete
    pgbackrest expire|stanza-delete|restore
    wal-g delete
    mysqlbackup|xtrabackup --copy-back
    mongorestore --drop
    pg_restore --clean
    pg_restore -c
    pg_dump|pg_dumpall --clean
    pg_dump|pg_dumpall -c
    """
)


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that deletes backups, or overwrites what is there with one.

    Asks: restic forget --keep-last 1 --prune
    Asks: borg delete repo::archive
    Asks: rclone sync ./empty remote:bucket
    Asks: velero backup delete daily --confirm
    Asks: pg_restore --clean backup.dump
    Asks: mongorestore --drop dump/
    Allows: restic snapshots
    Allows: restic backup ~/project
    Allows: restic forget --keep-last 5 --dry-run
    Allows: borg list repo
    Allows: rclone ls remote:bucket
    Allows: rclone copy ./dist remote:bucket
    Allows: pg_dump app -f app.sql
    Allows: pg_restore -l backup.dump
    """
    if call.has("-n") and call.program in ("borg", "restic", "rclone"):
        return None
    return _HARMS.find(call)


RULE = Rule(
    id="backups.delete",
    answer=GuardAnswer.ASK,
    says="deletes backups, or restores one over existing data",
    why="backups are the last resort when data is lost",
    instead="Use --dry-run, and let the user prune backups.",
    programs=_HARMS.programs,
    objects_to=objects_to,
)
