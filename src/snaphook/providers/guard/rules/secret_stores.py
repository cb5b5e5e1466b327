"""Secrets shown by the tools that keep them, or by the environment."""

from __future__ import annotations

import re
from collections.abc import Iterable

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Arg, Call, Span
from snaphook.shell.text import UNKNOWN

_SHOWS = harms(
    """
    aws secretsmanager get-secret-value|batch-get-secret-value
    aws configure export-credentials
    aws configure get aws_secret*|aws_session*
    aws sts get-session-token|get-federation-token
    az account get-access-token
    az keyvault secret show|download
    az keyvault key download
    vault kv get
    vault read *secret*|*creds*|kv/*
    op read
    op item get --reveal|--fields
    op inject
    pass show
    pass *
    secret-tool lookup|search
    heroku config|config:get
    doppler secrets
    infisical secrets|export
    chamber read|export|env
    git credential fill
    git credential-store|credential-cache get
    npm token list
    docker inspect -f=*Config.Env*|-f=*json*.Config*
    sops -d|--decrypt
    sops decrypt
    ansible-vault decrypt|view
    age|rage -d|--decrypt
    gpg|gpg2 --export-secret-keys
    bw get password|item|totp|notes
    lpass show
    keyring get
    kwallet-query -r
    """
)
_SPARED = harms(
    """
    pass ls|list|find|search|grep|git|init|insert|generate|edit|rm|mv|cp|help|version
    doppler secrets set|upload|delete|notes
    infisical secrets set|delete|folders
    """
)
_SECRET = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)S?(?:$|_ID$)|SECRET")
_ASKED = re.compile(r"\$(?:\{!?(?=\w+(?!\w|:\d)))?(\w+)")
_WANTED = re.compile(r"key|token|secret|pass|credential|auth", re.IGNORECASE)
_BODIES = ("-d", "--data", "--data-binary", "--data-raw", "--data-urlencode", "-F", "--post-data")
_DUMPS = ("env", "printenv", "set", "export", "declare", "typeset")


def shows(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a store of secrets that is told to print one.

    Asks: aws secretsmanager get-secret-value --secret-id prod/db
    Asks: vault kv get secret/prod
    Asks: op read op://prod/db/password
    Asks: pass show prod/db
    Asks: git credential fill
    Asks: sops -d secrets.yaml
    Asks: heroku config:get SECRET_KEY
    Allows: aws secretsmanager list-secrets
    Allows: vault kv list secret/
    Allows: vault status
    Allows: pass ls
    Allows: op item list
    Allows: doppler run -- npm start
    Allows: docker inspect web
    """
    return None if _SPARED.find(call) else _SHOWS.find(call)


_PASS_ON = frozenset(
    (
        *(
            "cat",
            "head",
            "tail",
            "tee",
            "sort",
            "uniq",
            "tr",
            "cut",
            "sed",
            "awk",
            "nl",
            "rev",
            "fold",
        ),
        *("base64", "base32", "xxd", "od", "hexdump", "less", "more", "jq", "column", "fmt"),
    )
)
"""Programs that show what they are given."""


def prints(call: Call, scene: RuleContext) -> Span | None:
    """Point at a variable that holds a secret, printed where the agent sees it, or posted.

    What is piped into another program (`| docker login --password-stdin`) is not shown.

    Asks: echo $AWS_SECRET_ACCESS_KEY
    Asks: echo "token is ${GITHUB_TOKEN}"
    Asks: printenv OPENAI_API_KEY
    Asks: env | grep -i secret
    Asks: echo $GITHUB_TOKEN | base64
    Allows: echo $HOME
    Allows: echo ${#GITHUB_TOKEN}
    Allows: echo "${GITHUB_TOKEN:0:4}…"
    Allows: echo "$DOCKER_PASSWORD" | docker login -u me --password-stdin
    Allows: env | sort
    Allows: env | grep NODE_ENV
    Allows: curl -H "Authorization: Bearer $API_TOKEN" https://api.example.com
    """
    if call.program in ("grep", "rg", "egrep", "ag"):
        return _searched(call)
    if call.program in ("curl", "wget"):
        return _named(call.options.all(*_BODIES), scene)
    piped = any(call in one.upstream and one.program not in _PASS_ON for one in scene.calls)
    if call.program == "printenv":
        named = [arg for arg in call.operands if _SECRET.search(arg.text.upper())]
        return named[0].span if named and not piped else None
    return None if piped else _named(call.args, scene)


def _named(words: Iterable[Arg], scene: RuleContext) -> Span | None:
    """Point at the first word in which a variable is named like a secret."""
    for arg in words:
        if UNKNOWN in arg.value:
            text = scene.command[arg.span.start : arg.span.end]
            if any(_SECRET.search(name.upper()) for name in _ASKED.findall(text)):
                return arg.span
    return None


def _searched(call: Call) -> Span | None:
    """Point at a search for secrets in what the environment prints."""
    if not call.upstream or not call.operands or not _WANTED.search(call.operands[0].text):
        return None
    last = call.upstream[-1]
    dumps = last.program in _DUMPS and not [arg for arg in last.operands if arg.text != "-"]
    return call.span if dumps and not call.has("-q", "-c", "-v") else None


RULES = (
    Rule(
        id="secrets.store",
        answer=GuardAnswer.ASK,
        says="prints a secret from the store that keeps it",
        why="what an agent has read may end up in a log, a prompt or a commit",
        instead="Let the program that needs it fetch it, without showing it.",
        programs=_SHOWS.programs,
        objects_to=shows,
    ),
    Rule(
        id="secrets.print",
        answer=GuardAnswer.ASK,
        says="prints or posts a variable that holds a secret",
        why="what an agent has read may end up in a log, a prompt or a commit",
        instead='Test whether it is set: [ -n "${NAME+x}" ].',
        programs=("echo", "printf", "printenv", "grep", "rg", "egrep", "ag", "curl", "wget"),
        objects_to=prints,
    ),
)
