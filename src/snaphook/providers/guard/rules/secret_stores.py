"""Secrets shown by the tools that keep them, or by the environment."""

from __future__ import annotations

import re
from collections.abc import Iterable

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.providers.guard.rules.secrets import reads
from snaphook.shell.facts import Act, Arg, Call, Effect, Span
from snaphook.shell.text import KEY, SECRET, UNKNOWN

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
_WANTED = re.compile(r"key|token|secret|pass|credential|auth|^-?i?env$|\benv\b(?!_)", re.IGNORECASE)
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
    Asks: ps eww -p 1234
    Allows: docker inspect web
    Allows: docker inspect -f '{{.State.Status}}' web
    Allows: ps aux
    """
    if call.program == "ps":
        return _processes(call)
    found = _SHOWS.find(call)
    return None if found is None or _SPARED.find(call) else found


def _processes(call: Call) -> Span | None:
    """Point at `ps eww`, which prints the environment of every process."""
    first = call.args[0].text if call.args else ""
    return call.span if first[:1] not in ("-", "") and "e" in first and first.isalpha() else None


def prints(fact: Call | Effect, scene: RuleContext) -> Span | None:
    """Point at a variable that holds a secret, printed where the agent sees it, or posted.

    What is piped into another program (`| docker login --password-stdin`) is not shown.

    Asks: echo $AWS_SECRET_ACCESS_KEY
    Asks: echo "token is ${GITHUB_TOKEN}"
    Asks: printenv OPENAI_API_KEY
    Asks: env | grep -i secret
    Asks: echo $GITHUB_TOKEN | base64
    Asks: K=$GITHUB_TOKEN; echo "$K"
    Asks: source .env && env
    Asks: set -a; . ./.env; printenv
    Asks: export $(cat .env | xargs) && env
    Asks: docker exec web env
    Asks: docker inspect web | grep -i password
    Asks: kubectl exec deploy/web -- printenv
    Asks: dotenv -f .env run env
    Allows: echo "API_KEY=$API_KEY" >> .env.local
    Allows: docker exec web env | grep NODE_ENV
    Allows: docker run --rm alpine env
    Allows: source .env && npm start
    Allows: echo $HOME
    Allows: echo ${#GITHUB_TOKEN}
    Allows: echo "${GITHUB_TOKEN:0:4}…"
    Allows: echo "$DOCKER_PASSWORD" | docker login -u me --password-stdin
    Allows: env | sort
    Allows: env | grep NODE_ENV
    Allows: curl -H "Authorization: Bearer $API_TOKEN" https://api.example.com
    """
    if isinstance(fact, Effect):
        shown = SECRET in fact.path or KEY in fact.path
        if not shown or _picks(fact.call):
            return None
        told = any(reads(one, scene) for one in scene.effects if one.act is Act.READ)
        return None if told else fact.span  # of a file, `secrets.read` says so
    call = fact
    if call.program in ("grep", "rg", "egrep", "ag"):
        return _searched(call)
    if call.program in ("curl", "wget"):
        return _named(call.options.all(*_BODIES), scene)
    return None


def _picks(call: Call) -> bool:
    """Say whether a search lets through only variables that are no secrets: `| grep NODE_ENV`."""
    if call.program not in ("grep", "egrep", "rg") or not call.upstream or not call.operands:
        return False
    dumped = any(one.program in _DUMPS for one in call.upstream)
    return dumped and not call.has("-v") and not _WANTED.search(call.operands[0].text)


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
    dumps = dumps or (last.program in ("docker", "podman") and last.subcommand == "inspect")
    return call.span if dumps and not call.has("-q", "-c", "-v") else None


RULES = (
    Rule(
        id="secrets.store",
        answer=GuardAnswer.ASK,
        says="prints a secret from a secret store",
        why="secrets that an agent reads may end up in logs, prompts or commits",
        instead="Let the program that needs it read it directly.",
        programs=(*_SHOWS.programs, "ps"),
        objects_to=shows,
    ),
    Rule(
        id="secrets.print",
        answer=GuardAnswer.ASK,
        says="prints or sends an environment variable with a secret",
        why="secrets that an agent reads may end up in logs, prompts or commits",
        instead='Check only whether it is set: [ -n "${NAME+x}" ].',
        programs=("grep", "rg", "egrep", "ag", "curl", "wget"),
        acts=(Act.READ,),
        objects_to=prints,
    ),
)
