"""Whether a call goes to production: told by the names it carries.

kubectl --context prod-eu …, AWS_PROFILE=prod …, psql -h db.prod.example.com …  ->  the name that tells

Names come from options, from variables, from words that are addresses, and from what the tools keep
on disk as the current context. Which names mean production is the setting `production`.
"""

from __future__ import annotations

from collections.abc import Iterator
from fnmatch import fnmatchcase

from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call

_OPTIONS_TEXT = """
    --context --kube-context --cluster --kubeconfig -n --namespace --profile --project
    --subscription --account --resource-group -g --workspace --stack -s --env --environment --stage
    --configuration -h --host --hostname -d --dbname --database --uri --url -chdir -var-file
    --var-file -i --inventory -l --limit -c --config -H --endpoint --endpoint-url --app -a --name
"""
_OPTIONS = frozenset(_OPTIONS_TEXT.split())
_VARIABLES = (
    "KUBECONFIG", "KUBE_CONTEXT", "AWS_PROFILE", "AWS_DEFAULT_PROFILE", "CLOUDSDK_ACTIVE_CONFIG_NAME",
    "CLOUDSDK_CORE_PROJECT", "GOOGLE_CLOUD_PROJECT", "AZURE_SUBSCRIPTION", "TF_WORKSPACE",
    "PULUMI_STACK", "PGHOST", "PGDATABASE", "DATABASE_URL", "MYSQL_HOST", "REDIS_URL", "MONGODB_URI",
    "MONGO_URL", "DOCKER_CONTEXT", "DOCKER_HOST",
)  # fmt: skip
_KUBERNETES = frozenset({"kubectl", "oc", "k", "helm", "helmfile"})
_TERRAFORM = frozenset({"terraform", "tofu", "opentofu", "terragrunt"})
_DOCKER = frozenset({"docker", "docker-compose"})
_BETWEEN = str.maketrans("/:@.,=", "      ")


def production(call: Call, scene: RuleContext) -> str:
    """Return the name that says *call* goes to production, or nothing."""
    shapes = scene.settings.production
    for value in _values(call, scene):
        for name in (value, *value.translate(_BETWEEN).split()):
            if any(fnmatchcase(name.lower(), shape) for shape in shapes):
                return name
    return ""


def _values(call: Call, scene: RuleContext) -> Iterator[str]:
    words = [arg.text for arg in call.args]
    for at, word in enumerate(words):
        name, attached, value = word.partition("=")
        if name in _OPTIONS:
            yield value if attached else words[at + 1] if at + 1 < len(words) else ""
        elif "://" in word:
            yield word
    for name in _VARIABLES:
        yield call.env.get(name) or scene.world.env.get(name) or ""
    yield from _kept(call, scene)


def _kept(call: Call, scene: RuleContext) -> Iterator[str]:
    """Return what the tool itself keeps as the context it is in."""
    world = scene.world
    if call.program in _KUBERNETES and not call.has("--context", "--kube-context"):
        for line in (world.text(f"{world.home}/.kube/config", 262_144) or "").splitlines():
            if line.startswith("current-context:"):
                yield line.partition(":")[2].strip().strip("\"'")
    elif call.program in _TERRAFORM:
        yield (world.text(f"{call.cwd}/.terraform/environment", 1_000) or "").strip()
        yield call.cwd.rpartition("/")[2]
    elif call.program in _DOCKER:
        text = world.text(f"{world.home}/.docker/config.json", 65_536) or ""
        yield text.partition('"currentContext"')[2].partition('"')[2].partition('"')[0]
