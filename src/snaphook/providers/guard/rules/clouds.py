"""Machines, data and rights that live in a cloud account."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.providers.guard.rules.verbs import VerbKind, compound, kind, verb
from snaphook.shell.facts import Arg, Call, Span

_CLOUDS = (
    "aws", "awslocal", "gcloud", "az", "gsutil", "bq", "azcopy", "s3cmd", "s5cmd", "mc",
    "oci", "ibmcloud", "aliyun", "tccli", "linode-cli", "doctl", "hcloud", "scw", "vultr-cli",
    "exo", "civo", "openstack", "nova", "cinder", "gcutil", "eksctl", "ecs-cli", "eb",
    "copilot", "b2", "upctl",
)  # fmt: skip
_ROUTINE = harms(
    """
    aws s3 cp|mb|mv|sync|website|presign|ls !--delete
    aws|awslocal sqs receive-message|send-message
    aws eks update-kubeconfig
    aws sso|configure|codeartifact|help|history
    aws athena start-query-execution
    aws eks update-kubeconfig
    aws lambda invoke
    aws ssm start-session
    aws logs tail|start-query|stop-query|start-live-tail
    aws cloudformation package|validate-template|detect-stack-drift
    aws sts get-*|decode-*
    aws dynamodb transact-get-items
    gcloud auth|config|components|info|init|version|help|topic|feedback|survey|cheat-sheet
    gcloud storage cp|mv|ls|cat|du|hash|rsync
    gcloud builds submit
    gsutil cp|mv|rsync|mb|ls|cat|stat|du|hash|version|help|config|perfdiag !-d
    az devops configure --list
    az login|logout|account|configure|config|version|find|interactive|upgrade|extension|bicep|cloud
    az storage blob download|upload|url|list|show|copy|download-batch|upload-batch
    az acr login|build
    bq ls|show|head|query|extract|version|wait|help|info
    mc ls|cat|stat|cp|mirror|mb|du|find|diff|head|alias|tree|pipe|ping|ready !--remove
    s3cmd ls|get|put|du|info|cp|sync !--delete-removed
    s5cmd ls|cp|cat|du|head|sync !--delete
    azcopy copy|cp|list|login|make|jobs|sync !--delete-destination
    eb status|logs|list|health|init|open|use|events|printenv
    doctl auth|serverless|version
    hcloud context|version
    """
)
_DESTROYS = harms(
    """
    aws s3 rm|rb
    aws s3 sync --delete
    aws s3api put-bucket-lifecycle*|put-bucket-versioning|put-object-retention
    aws kms schedule-key-deletion|disable-key
    gsutil rm|rb
    gsutil rsync -d
    gcloud storage rm|rb
    gcloud storage rsync --delete-unmatched-destination-objects
    bq rm
    bq query !--dry_run --replace
    mc rm|rb
    mc mirror --remove
    mc admin bucket|user|policy|service remove|rm|delete|stop
    s3cmd del|rm|rb|expire
    s3cmd sync --delete-removed
    s5cmd rm|rb
    s5cmd sync --delete
    azcopy remove|rm
    azcopy sync --delete-destination=true
    azcopy sync --delete-destination
    eb terminate
    eksctl delete|drain
    """
)


def destroys(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that deletes, empties or ends something in a cloud account.

    Asks: aws ec2 terminate-instances --instance-ids i-123
    Asks: aws --profile prod s3 rb s3://data --force
    Asks: aws s3 sync ./empty s3://data --delete
    Asks: aws rds delete-db-instance --db-instance-identifier prod
    Asks: gcloud compute instances delete web-1 --zone=eu
    Asks: gcloud projects delete my-project
    Asks: az group delete --name prod
    Asks: gsutil -m rm -r gs://data
    Asks: doctl compute droplet delete 123
    Asks: bq rm -r -f dataset
    Allows: aws ec2 describe-instances
    Allows: aws s3 ls s3://data
    Allows: aws s3 cp dist.zip s3://data/
    Allows: aws s3 sync ./dist s3://data --delete --dryrun
    Allows: gcloud compute instances list
    Allows: gcloud logging read 'severity>=ERROR'
    Allows: az vm list
    Allows: doctl compute droplet list
    Allows: aws rds delete-db-instance help
    """
    if only_asks(call) or _helps(call):
        return None
    if found := _DESTROYS.find(call):
        return found
    told = _verb(call)
    return (
        told[1].span if told and told[0] is VerbKind.DESTROYS and not _ROUTINE.find(call) else None
    )


def changes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that makes or changes something in a cloud account.

    Asks: aws iam create-user --user-name eve
    Asks: aws iam attach-user-policy --user-name eve --policy-arn arn:aws:iam::aws:policy/Admin
    Asks: aws ec2 run-instances --image-id ami-1
    Asks: gcloud run deploy api --image gcr.io/p/api
    Asks: az vm create -n web -g prod
    Asks: aws ssm get-parameter --name /db/password --with-decryption
    Asks: gcloud auth print-access-token
    Allows: aws sts get-caller-identity
    Allows: aws logs tail /aws/lambda/api --follow
    Allows: aws sso login
    Allows: aws configure list
    Allows: aws s3api get-object --bucket b --key k out.txt
    Allows: gcloud config set project my-project
    Allows: gcloud auth login
    Allows: az account set --subscription dev
    Allows: gsutil cp file gs://data/
    """
    if only_asks(call) or _helps(call):
        return None
    if found := _GIVES_SECRETS.find(call):
        return found
    told = _verb(call)
    return (
        told[1].span if told and told[0] is VerbKind.CHANGES and not _ROUTINE.find(call) else None
    )


_GIVES_SECRETS = harms(
    """
    aws ssm get-parameter* --with-decryption
    aws sts assume-role*
    gcloud auth print-access-token|print-identity-token
    gcloud auth application-default print-access-token
    gcloud secrets versions access
    gcloud config config-helper
    """
)


def _helps(call: Call) -> bool:
    return any(arg.value == "help" for arg in call.operands[:3])


def _verb(call: Call) -> tuple[VerbKind, Arg] | None:
    """Return what is done: aws names the operation second, the others after their nouns."""
    operands = call.operands
    if call.program in ("aws", "awslocal"):
        return _operation(operands[1]) if len(operands) > 1 else None
    if call.program in ("gcloud", "az"):
        return verb(call, 2 if operands and operands[0].text in ("alpha", "beta") else 1)
    if kind(operands[0].text if operands else "") is None:
        return verb(call, 1)
    return verb(call)


def _operation(arg: Arg) -> tuple[VerbKind, Arg]:
    """Return what an operation of aws does; one that we do not know is taken for a change."""
    return kind(arg.text) or compound(arg.text) or VerbKind.CHANGES, arg


_WHY = "deleted cloud resources are lost for everyone who uses them"

RULES = (
    Rule(
        id="cloud.destroy",
        answer=GuardAnswer.ASK,
        says="deletes or terminates cloud resources",
        why=_WHY,
        instead="Check first with list, describe or --dry-run, which are allowed.",
        programs=_CLOUDS,
        objects_to=destroys,
    ),
    Rule(
        id="cloud.change",
        answer=GuardAnswer.ASK,
        says="changes cloud resources, or prints their secrets",
        why="it affects permissions, costs or machines that others rely on",
        instead="Check first with list, describe or --dry-run, which are allowed.",
        programs=_CLOUDS,
        objects_to=changes,
    ),
)
