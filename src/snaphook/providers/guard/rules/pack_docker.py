"""The pack `docker`: whatever stops, replaces or removes what runs in containers."""

from __future__ import annotations

from snaphook.providers.guard.rules.harm import harms
from snaphook.providers.guard.rules.pack import asking, in_production, refusing
from snaphook.providers.guard.rules.rule import RuleContext
from snaphook.shell.facts import Call, Span

_CHANGES = harms("""
    docker|podman|nerdctl stop|kill|restart|pause|unpause|rename|update|rm|rmi|commit|import|load
    docker|podman|nerdctl wait
    docker|podman|nerdctl container stop|kill|restart|pause|unpause|rename|update|rm|commit|prune
    docker|podman|nerdctl image rm|prune|load|import|push
    docker|podman|nerdctl volume rm|prune|create|update
    docker|podman|nerdctl network rm|prune|create|connect|disconnect
    docker|podman|nerdctl system prune|reset
    docker|podman|nerdctl builder|buildx prune|rm|stop
    docker|podman|nerdctl compose down|stop|kill|restart|rm|pause|push
    docker|podman|nerdctl swarm|stack|service|node|secret|config|plugin create|rm|update|scale
    docker|podman|nerdctl swarm|stack|service|node|secret|config|plugin deploy|leave|init|join
    docker|podman|nerdctl swarm|stack|service|node|secret|config|plugin rollback|promote|demote
    docker|podman|nerdctl swarm|stack|service|node|secret|config|plugin disable|enable|install|set
    docker|podman|nerdctl swarm|stack|service|node|secret|config|plugin upgrade
    docker|podman|nerdctl context use|rm|create|update|import
    docker|podman|nerdctl push|login|logout|cp
    docker-compose|podman-compose down|stop|kill|restart|rm|pause|push
    podman pod stop|kill|rm|restart|prune
    podman machine stop|rm|reset|set
""")


def changes(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that stops, replaces or removes a container, image, volume or network.

    Asks: docker stop web
    Asks: docker rm web
    Asks: docker compose down
    Asks: docker service scale web=0
    Asks: docker cp app.conf web:/etc/
    Allows: docker ps -a
    Allows: docker compose logs -f
    Allows: docker build -t app .
    Allows: docker run --rm alpine true
    Allows: docker compose up -d
    """
    return _CHANGES.find(call)


def changes_production(call: Call, scene: RuleContext) -> Span | None:
    """Point at such a call to an engine or context that is production's.

    Blocks: docker --context prod stop web
    Blocks: DOCKER_HOST=ssh://deploy@prod-1 docker compose down
    Allows: docker --context prod ps
    Allows: docker --context prod logs web
    """
    return in_production(_CHANGES.find, call, scene)


RULES = (
    refusing("docker", programs=_CHANGES.programs, objects_to=changes_production),
    asking(
        "docker",
        "change",
        says="stops, replaces or removes containers",
        why="they may be in use",
        instead="ps, logs and inspect are allowed.",
        programs=_CHANGES.programs,
        objects_to=changes,
    ),
)
