"""The pack `terraform`: plans are free, changes to infrastructure are asked about."""

from __future__ import annotations

from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.pack import asking, beyond, in_production, refusing
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call, Span

_LOOKS = harms("""
    terraform|tofu|opentofu|terragrunt init|plan|show|validate|fmt|output|providers|version|graph
    terraform|tofu|opentofu|terragrunt get|modules|test|metadata|console|login|logout
    terraform|tofu|opentofu|terragrunt state list|show|pull
    terraform|tofu|opentofu|terragrunt workspace list|show|select
    terragrunt run-all|run plan|validate|output|init|show
    terragrunt hclfmt|graph-dependencies|output-all|plan-all|validate-all|render-json|dag|find
    terragrunt list|hcl
    pulumi preview|pre|whoami|about|logs|version|login|logout|console|gen-completion|schema
    pulumi convert|plugin|help|install
    pulumi stack ls|output|select|history|graph|export
    pulumi config get
    cdk|cdktf|cdklocal diff|list|ls|synth|synthesize|doctor|docs|metadata|context|notices
    cdk|cdktf|cdklocal acknowledge|init|version|get|debug|output
    ansible-playbook|ansible --check|-C|--list-hosts|--list-tasks|--list-tags|--syntax-check
    ansible-playbook|ansible --version
    ansible-inventory|ansible-doc|ansible-lint|ansible-config
    ansible * -m=ping|-m=setup|-m=debug|-m=gather_facts
    packer validate|inspect|fmt|init|version|console|plugins
    terraform-docs|tflint|tfsec|checkov|infracost|terrascan
""")
_CHANGES = beyond(_LOOKS)
_APPLIES = frozenset({"terraform", "tofu", "opentofu", "terragrunt"})


def changes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that changes infrastructure, its state or its workspaces.

    Asks: terraform apply tfplan
    Asks: terraform import aws_instance.web i-1
    Asks: terraform workspace new staging
    Asks: pulumi up
    Asks: cdk deploy
    Asks: ansible-playbook site.yml
    Allows: terraform plan -out tfplan
    Allows: terraform state list
    Allows: pulumi preview
    Allows: cdk diff
    Allows: ansible-playbook site.yml --check
    """
    return _CHANGES(call)


def changes_production(call: Call, scene: RuleContext) -> Span | None:
    """Point at such a call in a workspace, stack or folder of production; a plan made before is asked about.

    Blocks: terraform -chdir=envs/prod apply
    Blocks: TF_WORKSPACE=production terraform destroy
    Blocks: pulumi up --stack acme/prod
    Allows: terraform -chdir=envs/prod plan
    Allows: pulumi preview --stack acme/prod
    """
    if call.program in _APPLIES and call.subcommand == "apply" and len(call.operands) > 1:
        return None
    return in_production(_CHANGES, call, scene)


RULES = (
    refusing("terraform", programs=_LOOKS.programs, objects_to=changes_production),
    asking(
        "terraform",
        "change",
        says="changes Terraform or Pulumi infrastructure or state",
        why="it affects machines, data and costs",
        instead="Create a plan and let the user review it.",
        programs=_LOOKS.programs,
        objects_to=changes,
    ),
)
