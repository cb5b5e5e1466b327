"""The pack `cloud`: copies, sessions and contexts are asked about, too; rights and production refused."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules import clouds
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.pack import asking, in_production, refusing
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call, Span

_ROUTINE = harms("""
    aws s3 mv|mb|website|presign
    aws s3 cp|sync * s3://*
    aws lambda invoke
    aws ssm start-session
    aws sqs send-message|receive-message
    aws configure set|import
    aws athena start-query-execution
    aws eks update-kubeconfig
    gcloud config set|unset|configurations
    gcloud auth activate-service-account|revoke|application-default
    gcloud storage mv
    gcloud storage cp|rsync * gs://*
    gcloud builds submit
    gcloud components install|update|remove
    gsutil mv|mb
    gsutil cp|rsync * gs://*
    az account set|clear
    az login|logout|upgrade
    az config set|unset
    az extension add|remove|update
    az storage blob upload|upload-batch|copy
    az acr build
    doctl auth|serverless init|switch|deploy
    hcloud context use|create|delete
    mc cp|mirror|mb|mv|pipe
    s3cmd put|mb|mv|cp|sync
    azcopy copy|cp|sync|make
""")
_RIGHTS = harms("""
    aws iam create-*|attach-*|detach-*|put-*|delete-*|update-*|add-*|remove-*|set-*|upload-*
    aws organizations|sso-admin|identitystore create-*|attach-*|delete-*|put-*|invite-*|remove-*
    aws organizations|sso-admin|identitystore update-*|move-*|detach-*
    aws kms create-grant|put-key-policy|schedule-key-deletion|disable-key
    aws s3api put-bucket-policy|put-bucket-acl|put-object-acl|put-public-access-block
    aws s3api delete-public-access-block
    aws ec2 authorize-security-group-*|revoke-security-group-*
    aws ram|cloudtrail create-*|delete-*|stop-*|put-*
    gcloud projects|organizations|folders add-iam-policy-binding|remove-iam-policy-binding
    gcloud projects|organizations|folders set-iam-policy
    gcloud iam * create|delete|add-iam-policy-binding|keys|disable|enable
    gcloud iam service-accounts keys create|delete
    gcloud compute firewall-rules create|delete|update
    az role assignment|definition create|delete|update
    az ad * create|delete|update|credential|reset
    az keyvault set-policy|delete-policy|delete|purge
    az network nsg rule create|delete|update
""")


def _changes(call: Call) -> Span | None:
    """Return the place of anything that is more than looking."""
    if only_asks(call):
        return None
    for rule in clouds.RULES:
        if (found := rule.objects_to(call, None)) is not None:  # type: ignore[arg-type]
            return found
    return _ROUTINE.find(call) or _RIGHTS.find(call)


def routine(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a copy into a cloud, a session or a change of account.

    Asks: aws s3 cp dist.zip s3://data/
    Asks: aws ssm start-session --target i-1
    Asks: gcloud config set project prod
    Asks: az account set --subscription dev
    Allows: aws s3 ls s3://data
    Allows: aws s3 cp s3://data/x .
    Allows: gcloud config list
    Allows: az account show
    """
    return _ROUTINE.find(call)


def grants(call: Call, _scene: RuleContext) -> Span | None:
    """Point at rights, keys and network rules of a cloud account.

    Blocks: aws iam create-access-key --user-name me
    Blocks: gcloud projects add-iam-policy-binding p --member user:x --role roles/owner
    Blocks: az role assignment create --assignee x --role Owner
    Allows: aws iam list-users
    Allows: aws iam get-role --role-name r
    Allows: az role assignment list
    """
    return _RIGHTS.find(call)


def changes_production(call: Call, scene: RuleContext) -> Span | None:
    """Point at anything but looking in an account that is production's.

    Blocks: aws --profile prod ec2 terminate-instances --instance-ids i-1
    Blocks: AWS_PROFILE=prod aws s3 rm s3://data/x
    Blocks: gcloud --project acme-prod run deploy api --image x
    Allows: aws --profile prod ec2 describe-instances
    Allows: AWS_PROFILE=prod aws s3 ls
    """
    return in_production(_changes, call, scene)


_PROGRAMS = tuple(dict.fromkeys((*clouds.RULES[0].programs, *_ROUTINE.programs)))

RULES = (
    refusing("cloud", programs=_PROGRAMS, objects_to=changes_production),
    asking(
        "cloud",
        "rights",
        says="changes cloud permissions (IAM)",
        why="wrong permissions are hard to notice",
        instead="Let the user change permissions and keys.",
        programs=_RIGHTS.programs,
        objects_to=grants,
        answer=GuardAnswer.DENY,
    ),
    asking(
        "cloud",
        "routine",
        says="uploads to a cloud, opens a session there or switches accounts",
        why="it affects remote machines and data",
        instead="list and describe are allowed.",
        programs=_ROUTINE.programs,
        objects_to=routine,
    ),
)
