"""Tasks that wait for each other in a ring.

who waits for whom  ->  rings
"""

from collections.abc import Mapping, Sequence


def cycles(waits: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Return every ring once, beginning with its first member; those outside it are not in it."""
    found: list[list[str]] = []
    done: set[str] = set()
    for start in waits:
        trail: list[str] = []
        place: dict[str, int] = {}
        stack = [(start, iter(waits.get(start, ())))] if start not in done else []
        if stack:
            place[start] = 0
            trail.append(start)
        while stack:
            name, ahead = stack[-1]
            following = next(ahead, None)
            if following is None:
                stack.pop()
                done.add(trail.pop())
                del place[name]
            elif following in place:
                found.append(trail[place[following] :])
            elif following not in done and following in waits:
                place[following] = len(trail)
                trail.append(following)
                stack.append((following, iter(waits[following])))
    return found
