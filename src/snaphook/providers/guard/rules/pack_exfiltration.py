"""The pack `exfiltration`: nothing leaves this machine unasked."""

from __future__ import annotations

import re

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.path_classes import PathClass
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.pack import asking, call_of
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Act, Call, Effect, Span, TextOrigin

_LOCAL = re.compile(
    r"(?:\w+://)?(?:[^@/]*@)?(?:localhost|127\.\d+\.\d+\.\d+|\[?::1\]?|0\.0\.0\.0)(?:[:/ ]|$)"
)
_BODIES_TEXT = """
    -d --data --data-binary --data-raw --data-urlencode -F --form --json -T --upload-file --post-data
    --post-file --body-data --body-file
"""
_BODIES = tuple(_BODIES_TEXT.split())
_COPIES = harms("""
    rclone copy|copyto|sync|move|moveto|rcat|copyurl
    croc send
    magic-wormhole|wormhole send
    transfer.sh|ffsend|pastebinit|gist|sprunge|termbin
    gh gist create|edit
    glab snippet create
    ngrok|cloudflared|localtunnel|lt|bore|serveo *
    git remote add|set-url
    git push --mirror
    git bundle create
    git send-email
    mail|mailx|sendmail|mutt|msmtp|swaks
    sftp|ftp|lftp|tftp
    aws s3 cp|sync|mv * s3://*
    gsutil cp|rsync|mv * gs://*
    gcloud storage cp|rsync|mv * gs://*
    az storage blob upload|upload-batch
    azcopy copy|cp|sync * https://*
    restic|borg|duplicity|kopia backup|create|snapshot
    ipfs add
    socat *
""")
_NAMES = ("dig", "nslookup", "host", "drill", "kdig", "ping", "resolvectl")
_DUMPS = ("env", "printenv")


def sends(fact: Call | Effect, scene: RuleContext) -> Span | None:
    """Point at whatever goes from here to another machine.

    Asks: curl -T report.csv https://example.com
    Asks: curl -d "a=b" https://example.com/api
    Asks: scp dist.zip me@example.com:
    Asks: rsync -a dist/ me@example.com:/srv/app
    Asks: aws s3 cp dist.zip s3://data/
    Asks: rclone copy docs remote:docs
    Asks: git remote add mirror https://example.com/x.git
    Allows: curl https://example.com
    Allows: curl -d "a=b" http://localhost:8000/api
    Allows: aws s3 cp s3://data/x .
    Allows: git push origin topic
    """
    call = call_of(fact)
    if only_asks(call):
        return None
    if isinstance(fact, Effect):
        gone = fact.act is Act.SEND or (fact.act is Act.FETCH and call.has(*_BODIES))
        return fact.span if gone and not _stays(fact.detail, scene) else None
    if call.program in ("rsync", "scp"):
        return _copied(call, scene)
    return _COPIES.find(call)


def _copied(call: Call, scene: RuleContext) -> Span | None:
    target = call.operands[-1] if len(call.operands) > 1 else None
    if target is None or not re.match(r"(?:\w+@)?[\w.-]+::?|rsync://", target.text):
        return None
    return None if _stays(target.text, scene) else target.span


def _stays(address: str, scene: RuleContext) -> bool:
    """Say whether *address* is this machine, or one that the settings trust."""
    if _LOCAL.match(address):
        return True
    hosts = scene.settings.allow_hosts
    return any(host in re.split(r"[/:@ ]", address) for host in hosts)


def shows(fact: Call | Effect, scene: RuleContext) -> Span | None:
    """Point at every variable being printed, or at an archive of what lies outside the project.

    Asks: printenv
    Asks: env | sort
    Asks: tar czf /tmp/x.tgz ~/Documents
    Allows: printenv PATH
    Allows: env FOO=1 make
    Allows: tar czf dist.tgz dist
    """
    if isinstance(fact, Call):
        bare = not fact.args or (fact.program == "env" and fact.args[0].value == "-0")
        return fact.span if fact.program in _DUMPS and bare else None
    packs = fact.call.program in ("tar", "zip", "7z", "rar", "cpio", "bsdtar")
    outside = (PathClass.OUTSIDE, PathClass.HOME, PathClass.SYSTEM, PathClass.ROOT)
    return fact.span if packs and scene.places.of(fact.path) in outside else None


def looks_up(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a name to look up that only the run can tell, or that is long enough to carry data.

    Asks: dig "$X.example.com"
    Asks: nslookup 6b657920646174612069732068657265206e6f772121.example.com
    Allows: dig example.com
    Allows: host -t MX example.com
    """
    for arg in call.operands:
        first = arg.text.split(".", 1)[0]
        made = arg.origin & (TextOrigin.VARIABLE | TextOrigin.SUBSTITUTION) and "." in arg.text
        if made or len(first) > 40:
            return arg.span
    return None


RULES = (
    Rule(
        id="exfiltration.send",
        answer=GuardAnswer.ASK,
        says="sends data to another machine",
        why="sent data cannot be recalled",
        instead="Add the host to allow_hosts, or let the user send it.",
        programs=tuple(dict.fromkeys((*_COPIES.programs, "rsync", "scp"))),
        acts=(Act.SEND, Act.FETCH),
        objects_to=sends,
        optional=True,
        pack="exfiltration",
    ),
    Rule(
        id="exfiltration.gather",
        answer=GuardAnswer.ASK,
        says="collects environment variables or files outside the project",
        why="it is often the first step of a leak",
        instead="Read only the variable or file you need.",
        programs=_DUMPS,
        acts=(Act.READ,),
        objects_to=shows,
        optional=True,
        pack="exfiltration",
    ),
    asking(
        "exfiltration",
        "names",
        says="makes a DNS query that may carry data",
        why="the operator of the DNS server can read it",
        instead="Look up a fixed name.",
        programs=_NAMES,
        objects_to=looks_up,
    ),
)
