"""The pack `kubernetes`: looking at a cluster is free, all else is asked about."""

from __future__ import annotations

from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.pack import asking, beyond, in_production, refusing
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call, Span

_LOOKS = harms("""
    kubectl|oc|k get|describe|logs|top|explain|api-resources|api-versions|version|cluster-info|diff
    kubectl|oc|k wait|events|port-forward|proxy|options|completion|kustomize|status|whoami|project
    kubectl|oc|k config view|get-contexts|current-context|get-clusters|get-users
    kubectl|oc|k rollout status|history
    kubectl|oc|k auth can-i|whoami
    kubectl|oc|k plugin list
    helm list|ls|status|get|history|hist|show|inspect|search|template|lint|version|env|verify|pull
    helm fetch|completion|dependency|dep|create|package
    helm repo list|ls|add|update|up|index
    helm plugin list|ls
    helmfile list|diff|template|lint|status|build|deps|repos|fetch|version
    kustomize build|cfg|version
    istioctl analyze|version|proxy-status|ps|proxy-config|pc|describe|dashboard
    argocd app get|list|diff|history|logs|manifests|resources
    argocd cluster|proj|repo|account list|get
    argocd version|context|login
    flux get|logs|check|diff|tree|trace|stats|version|events|export|build
    k9s *
    stern *
""")
_CHANGES = beyond(_LOOKS)


def changes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that does more than look at a cluster.

    Asks: kubectl apply -f deploy.yaml
    Asks: kubectl rollout restart deployment/web
    Asks: kubectl exec -it web-1 -- sh
    Asks: kubectl config use-context staging
    Asks: helm upgrade --install web ./chart
    Allows: kubectl get pods -A
    Allows: kubectl apply -f deploy.yaml --dry-run=server
    Allows: kubectl diff -f deploy.yaml
    Allows: helm template web ./chart
    Allows: helm upgrade web ./chart --dry-run
    """
    return _CHANGES(call)


def changes_production(call: Call, scene: RuleContext) -> Span | None:
    """Point at such a call in a context or namespace that is production's.

    Blocks: kubectl --context prod-eu apply -f deploy.yaml
    Blocks: kubectl -n production delete pod web-1
    Blocks: helm upgrade web ./chart --kube-context prod
    Allows: kubectl --context prod-eu get pods
    Allows: kubectl -n production apply -f deploy.yaml --dry-run=client
    """
    return in_production(_CHANGES, call, scene)


RULES = (
    refusing("kubernetes", programs=_LOOKS.programs, objects_to=changes_production),
    asking(
        "kubernetes",
        "change",
        says="changes a Kubernetes cluster",
        why="others use the cluster",
        instead="Use --dry-run=server or kubectl diff.",
        programs=_LOOKS.programs,
        objects_to=changes,
    ),
)
