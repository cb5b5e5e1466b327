"""What a person is asked to approve, and the approving.

Environment  ->  Reviews  ->  TrustStore
"""

from collections.abc import Iterable
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from .coverage import Cover
from .documents import SettingsDocument, read
from .environment import Environment
from .fragments import decode
from .settings import CommandHook, ProviderEntry
from .settings_files import find
from .trust import Approval, TrustStore, changed_files, fingerprint, is_valid, meaning


class TrustState(StrEnum):
    """What has been said about a file so far."""

    NEW = "not approved"
    CHANGED = "changed since it was approved"
    APPROVED = "approved"


class Review(Struct, frozen=True, kw_only=True):
    """One file of a project, and what approving it would set free."""

    file: str
    approval: Approval
    state: TrustState
    hooks: tuple[CommandHook, ...]
    providers: tuple[ProviderEntry, ...]
    scripts: tuple[Path, ...]
    unknown: tuple[str, ...] = ()
    """What runs and is not covered."""
    changed: tuple[Path, ...] = ()
    """What is not as it was approved."""


def review(
    around: Environment, root: Path, store: TrustStore, cover: Cover | None = None
) -> tuple[Review, ...]:
    """Return every file of the project that needs approval; ConfigError where one is unreadable."""
    approved = store.of_project(root)
    reviews = []
    for place in find(around, root):
        if not place.needs_trust or place.outer:
            continue
        document = read(place)
        seen = fingerprint(document, root, cover)
        given = approved.get(document.file)
        fragment, _ = decode(document)
        reviews.append(
            Review(
                file=document.file,
                approval=seen.approval,
                state=_state(given, document, root),
                hooks=fragment.hooks,
                providers=fragment.providers,
                scripts=seen.scripts,
                unknown=seen.unknown,
                changed=_changed(given, document, root),
            )
        )
    return tuple(reviews)


def approve(reviews: Iterable[Review], root: Path, store: TrustStore) -> None:
    """Approve the files just as they were reviewed, not as they may be by now."""
    store.approve(root, {review.file: review.approval for review in reviews})


class KeptApproval:
    """Keeps a project's approval over an edit that its own user makes through us.

    Only what was approved before the edit, or did not exist, is approved after it.
    """

    def __init__(
        self, around: Environment, root: Path, file: Path, cover: Cover | None = None
    ) -> None:
        self.around, self.root, self.file, self._cover = around, root, file, cover
        self.store = TrustStore.of(around)
        before = review(around, root, self.store)
        self._was_fine = {r.file for r in before if r.state is TrustState.APPROVED}
        if not file.exists():
            self._was_fine.add(str(file))

    def renew(self) -> bool:
        """Approve the edited file if it was fine; say whether it is."""
        if str(self.file) not in self._was_fine:
            return False
        now = review(self.around, self.root, self.store, self._cover)
        approve([r for r in now if r.file in self._was_fine], self.root, self.store)
        return True


def _state(given: Approval | str | None, document: SettingsDocument, root: Path) -> TrustState:
    if given is None:
        return TrustState.NEW
    return TrustState.APPROVED if is_valid(given, document, root) else TrustState.CHANGED


def _changed(
    given: Approval | str | None, document: SettingsDocument, root: Path
) -> tuple[Path, ...]:
    """Return what is not as it was approved: the file itself, or what it runs."""
    if not isinstance(given, Approval):
        return ()
    own = [] if given.digest == meaning(document) else [Path(document.file)]
    return (*own, *changed_files(given, root))
