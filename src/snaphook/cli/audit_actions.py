"""What people do to the record: hold it, redact it, prove it, sign it, send it.

``snaphook audit`` hold | redact | prove | key | send
"""

import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import click
import msgspec

from snaphook.errors import UsageError
from snaphook.stores.eventlog.record import Record
from snaphook.stores.eventlog.redaction import SENSITIVE
from snaphook.stores.eventlog.settings import LogSettings
from snaphook.stores.eventlog.ship import ship
from snaphook.stores.eventlog.trail.hold import Hold, holds, place, release
from snaphook.stores.eventlog.trail.journal import STREAM
from snaphook.stores.eventlog.trail.keys import make_key
from snaphook.stores.eventlog.trail.prove import prove as prove_record
from snaphook.stores.eventlog.trail.redact import finish as finish_redactions
from snaphook.stores.eventlog.trail.redact import redact as redact_records
from snaphook.stores.eventlog.trail.trail import Trail
from snaphook.wiring.assembly import log_settings

from .here import here, the_trail
from .output import say, say_generated, say_json, say_lines


def _trail() -> Trail:
    return the_trail(*here())


@click.command()
@click.option("--export", "show", is_flag=True, help="Print the existing public key.")
def key(show: bool) -> None:
    """Create the key pair that signs checkpoints; print the public key.

    Give the public key to the verifier. The private key stays here, readable only by you.
    """
    trail = _trail()
    if show:
        if not (known := trail.keys()):
            raise UsageError(
                where="snaphook audit key",
                what="no key exists yet",
                fix="Run: snaphook audit key",
            )
        say_lines("\n".join(known))
        return
    signer = make_key(trail.key_folder)
    trail.seal(now=time.time())
    say(f"Key {signer.id} created in {trail.key_folder}. Public key:", err=True)
    say(signer.public)


@click.command()
@click.argument("record_id", required=False)
@click.option("--script", is_flag=True, help="Print the standalone script that verifies a proof.")
def prove(record_id: str | None, script: bool) -> None:
    """Print a proof that the record RECORD_ID is in the signed log.

    The recipient needs only the proof, the script and the public key.
    """
    if script:
        from snaphook.stores.eventlog.trail import check_proof

        say_generated(Path(check_proof.__file__).read_text(encoding="utf-8"))
        return
    if record_id is None:
        raise UsageError(
            where="snaphook audit prove",
            what="which record?",
            fix="Give an id; 'snaphook log --json' shows them.",
        )
    found = prove_record(_trail().folder, record_id)
    say_json(found, indent=2)


@click.command()
@click.option("--id", "ids", multiple=True, help="The records of these ids.")
@click.option("--session", default="", help="Every record of this session.")
@click.option("--field", "fields", multiple=True, help="Only this field, such as input.tool_args.")
@click.option("--why", default="", help="The reason, stored permanently in the audit journal.")
@click.option("--finish", "only_finish", is_flag=True, help="Finish an interrupted redaction.")
@click.option("--json", "as_json", is_flag=True, help="Print each record as a line of JSON.")
def redact(
    ids: tuple[str, ...],
    session: str,
    fields: tuple[str, ...],
    why: str,
    only_finish: bool,
    as_json: bool,
) -> int:
    """Permanently redact the contents of records; the hash chain stays valid.

    Earlier checkpoints and proofs stay valid. Records under a legal hold are skipped and listed.
    The database is redacted too: now, or when it is reachable again. Exits with 1 while anything is
    still pending.
    """
    if not only_finish and not (why and (ids or session)):
        raise UsageError(
            where="snaphook audit redact",
            what="no records or no reason given",
            fix="Give --id or --session, and --why; or --finish.",
        )

    def wanted(record: Record) -> bool:
        return record.id in ids or (bool(session) and record.session == session)

    settings, around = here()
    folder, now = the_trail(settings, around).folder, time.time()
    if only_finish:
        say(f"{finish_redactions(folder, now=now)} records redacted.")
        return 0 if _redacted_in_database(log_settings(settings), folder) else 1
    gone, held = redact_records(folder, wanted, fields=fields or SENSITIVE, why=why, now=now)
    for each in gone if as_json else ():
        say_json(each)
    if not as_json:
        say(f"{len(gone)} records redacted.")
    for record in held:
        say(f"✗ {record.id} is under a legal hold and was not changed.", style="red", err=True)
    everywhere = _redacted_in_database(log_settings(settings), folder)
    return 0 if everywhere and not held else 1


def redact_texts(texts: Sequence[str], *, why: str) -> bool:
    """Take what holds one of *texts* out of the log and its database; say whether all went."""
    settings, around = here()
    folder = the_trail(settings, around).folder
    shapes = {shape for text in texts for shape in _shapes(text)}

    def wanted(record: Record) -> bool:
        held = " ".join(_words(msgspec.to_builtins(record)))
        return any(shape in held for shape in shapes)

    gone, held = redact_records(folder, wanted, fields=SENSITIVE, why=why, now=time.time())
    say(f"{len(gone)} records redacted.")
    for record in held:
        say(f"✗ {record.id} is under a legal hold and was not changed.", style="red", err=True)
    return _redacted_in_database(log_settings(settings), folder) and not held


def _shapes(text: str) -> Iterator[str]:
    """Yield what is looked for: *text* as it is kept, and without what memory put before it."""
    plain = " ".join(text.casefold().split()).rstrip(".!;:, ")
    yield plain
    _, _, rest = plain.partition(": ")
    if len(rest.split()) > 3:  # shorter ones stand in texts that have nothing to do with it
        yield rest


def _words(value: object) -> Iterator[str]:
    """Yield the texts in *value*, wherever they stand, in the same form."""
    if isinstance(value, str):
        yield " ".join(value.casefold().split())
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _words(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _words(each)


def _redacted_in_database(settings: LogSettings, folder: Path) -> bool:
    """Have the database lose the same; say so, and why, where it could not."""
    if settings.store == "none" or not (folder / STREAM).is_dir():
        return True
    from snaphook.daemon.log_maintenance import open_record_store

    later = (
        "The daemon does it there as soon as it can; 'snaphook audit redact --finish' tries now."
    )
    try:
        store = open_record_store(settings, folder)
        ship(folder, store)
        waiting = store.tidied()
        store.close()
    except Exception as problem:  # noqa: BLE001 - a database has many ways to be away
        say(f"✗ Not yet redacted in the database: {problem} {later}", style="red", err=True)
        return False
    if waiting:
        say(f"✗ {waiting} not yet redacted in the database. {later}", style="red", err=True)
    return not waiting


@click.group()
def hold() -> None:
    """Manage legal holds: records that are kept until released."""


@hold.command("add")
@click.argument("name")
@click.option("--session", default="", help="The records of this session.")
@click.option("--project", default="", help="The records of this project.")
@click.option("--why", required=True, help="The reason, stored permanently in the audit journal.")
def hold_add(name: str, session: str, project: str, why: str) -> None:
    """Create the legal hold NAME; without --session and --project it covers everything."""
    held = Hold(name=name, why=why, session=session, project=project)
    place(_trail().folder, held, now=time.time())
    say(f"Hold '{name}' is in force.")


@hold.command("release")
@click.argument("name")
@click.option("--why", required=True, help="The reason, stored permanently in the audit journal.")
def hold_release(name: str, why: str) -> None:
    """Release the legal hold NAME."""
    release(_trail().folder, name, why, now=time.time())
    say(f"Hold '{name}' is released.")


@hold.command("list")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def hold_list(as_json: bool) -> None:
    """List the holds in force."""
    found = holds(_trail().folder)
    if as_json:
        say_json(found)
        return
    for each in found:
        of = (each.session and f"session {each.session}") or each.project or "everything"
        say(f"{each.name}: {of}, placed by {each.by}: {each.why}")
    if not found:
        say("No hold is in force.")


@click.command()
def send() -> None:
    """Send pending records to the [audit] endpoint; the daemon does this automatically."""
    trail = _trail()
    if not trail.settings.endpoint:
        raise UsageError(
            where="snaphook audit send",
            what="no endpoint is set",
            fix='Write endpoint = "https://…" under [audit] in snaphook.toml.',
        )
    say(f"{trail.send()} records sent to {trail.settings.endpoint}.")
