"""What runs in a cluster, and what is declared as infrastructure."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.shell.facts import Call, Span

_CLUSTER = harms(
    """
    kubectl|oc|k delete|drain|cordon|taint|evict
    kubectl|oc|k replace --force
    kubectl|oc|k scale --replicas=0
    kubectl|oc|k rollout undo
    kubectl|oc|k apply --prune|--force
    kubectl|oc|k config delete-*
    kubectl|oc|k certificate deny
    kubectl|oc|k auth reconcile
    kubectl|oc|k get secret* -o=yaml|-o=json*|-o=go-template*|-o=custom-columns*|-o=template*
    kubectl|oc|k create clusterrolebinding
    oc adm drain|prune|policy
    helm uninstall|delete|del|un|rollback
    helm upgrade --force
    helmfile destroy|delete
    kustomize edit remove
    istioctl uninstall
    linkerd uninstall
    cilium uninstall
    rancher delete
    kops delete
    kubeadm reset
    talosctl reset|upgrade
    """
)
_DECLARED = harms(
    """
    terraform|tofu|opentofu destroy
    terraform|tofu|opentofu apply -auto-approve
    terraform|tofu|opentofu apply -destroy
    terraform|tofu|opentofu state rm|push|replace-provider
    terraform|tofu|opentofu workspace delete
    terraform|tofu|opentofu taint|untaint|force-unlock
    terragrunt destroy|destroy-all|apply-all
    terragrunt run|run-all destroy|apply
    terragrunt apply -auto-approve
    pulumi destroy|up|update|cancel|rm
    pulumi stack rm
    pulumi state delete|unprotect
    pulumi config rm
    cdk|cdklocal|cdktf destroy|rollback|gc
    cdk|cdktf deploy --force
    cdk|cdktf deploy --require-approval=never
    cdktf deploy --auto-approve
    ansible-galaxy collection|role remove|delete
    ansible-vault decrypt
    packer --force
    crossplane uninstall
    """
)


def deletes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that takes away what runs in a cluster, or shows its secrets.

    Asks: kubectl delete namespace prod
    Asks: kubectl -n prod delete pod web-1
    Asks: kubectl drain node-1 --ignore-daemonsets
    Asks: kubectl scale deployment web --replicas=0
    Asks: kubectl scale deployment web --replicas 0
    Asks: helm uninstall web
    Asks: helm rollback web 2
    Asks: kubectl get secret db -o yaml
    Asks: kubectl apply -f https://example.com/app.yaml
    Allows: kubectl get pods -A
    Allows: kubectl logs -f web-1
    Allows: kubectl describe pod web-1
    Allows: kubectl delete pod web-1 --dry-run=client
    Allows: kubectl apply -f deploy.yaml
    Allows: kubectl scale deployment web --replicas=3
    Allows: helm list -A
    Allows: helm upgrade --install web ./chart
    Allows: helm repo add bitnami https://charts.bitnami.com/bitnami
    """
    if found := _CLUSTER.find(call):
        return found
    if call.program in ("kubectl", "oc", "k") and call.subcommand in ("apply", "create", "replace"):
        for source in call.options.all("-f", "--filename"):
            if source.text.startswith(("http://", "https://")):
                return source.span
    return None


def destroys(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that destroys infrastructure, or applies changes without a reviewed plan.

    Asks: terraform destroy
    Asks: terraform apply
    Asks: terraform apply -auto-approve
    Asks: terraform -chdir=infra destroy -target=aws_instance.web
    Asks: terraform state rm aws_instance.web
    Asks: pulumi destroy --yes
    Asks: cdk destroy --all
    Allows: terraform plan
    Allows: terraform plan -destroy
    Allows: terraform apply tfplan
    Allows: terraform init
    Allows: terraform state list
    Allows: terraform workspace select dev
    Allows: pulumi preview
    Allows: cdk diff
    Allows: ansible all -m ping
    """
    if found := _DECLARED.find(call):
        return found
    unplanned = call.program in _TERRAFORMS and call.subcommand == "apply"
    if unplanned and len(call.operands) == 1 and not call.has("-help"):
        return call.span
    return _absent(call)


_TERRAFORMS = ("terraform", "tofu", "opentofu", "terragrunt")


def _absent(call: Call) -> Span | None:
    """Point at an ansible call that makes things absent on its hosts."""
    if call.program == "ansible" and (words := call.get("-a")) and "state=absent" in words.text:
        return words.span
    return None


RULES = (
    Rule(
        id="cluster.delete",
        answer=GuardAnswer.ASK,
        says="deletes or stops Kubernetes workloads, or prints secrets",
        why="other users of the cluster are affected",
        instead="Check first with get and describe, or use --dry-run=server.",
        programs=_CLUSTER.programs,
        objects_to=deletes,
    ),
    Rule(
        id="infrastructure.destroy",
        answer=GuardAnswer.ASK,
        says="destroys infrastructure, or applies changes without a reviewed plan",
        why="machines and their data are deleted",
        instead="Create a plan, let the user review it, then apply that plan.",
        programs=(*_DECLARED.programs, "ansible"),
        objects_to=destroys,
    ),
)
