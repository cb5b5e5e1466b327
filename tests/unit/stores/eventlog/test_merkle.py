"""The tree of hashes, against RFC 6962's own definition."""

from hashlib import sha256

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.thorough import thorough

from snaphook.stores.eventlog.trail.merkle import Tree, climb, path


def defined(leaves):
    """The root as the RFC writes it down."""
    if not leaves:
        return sha256(b"").digest()
    if len(leaves) == 1:
        return sha256(b"\0" + leaves[0]).digest()
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return sha256(b"\1" + defined(leaves[:split]) + defined(leaves[split:])).digest()


def grown(leaves):
    tree = Tree()
    for each in leaves:
        tree.add(each)
    return tree


LEAVES = [f"{n:064x}".encode() for n in range(70)]


@pytest.mark.parametrize("count", range(40))
def test_a_tree_grown_leaf_by_leaf_has_the_root_that_is_defined(count):
    assert grown(LEAVES[:count]).root == defined(LEAVES[:count])


@settings(max_examples=thorough(200, 30))
@given(st.integers(1, 70), st.data())
def test_every_leaf_leads_to_the_root_even_when_those_before_it_are_gone(count, data):
    index = data.draw(st.integers(0, count - 1))
    gone = data.draw(st.integers(0, index))
    asked: list[int] = []

    def digest_of(at):
        asked.append(at)
        return LEAVES[at]

    steps = path(index, count, digest_of, grown(LEAVES[:gone]))

    assert climb(LEAVES[index], index, count, steps) == grown(LEAVES[:count]).root
    assert all(at >= gone for at in asked)


def test_another_leaf_another_place_or_another_path_leads_elsewhere():
    steps, root = path(5, 11, LEAVES.__getitem__), grown(LEAVES[:11]).root

    assert climb(LEAVES[5], 5, 11, steps) == root
    assert climb(LEAVES[6], 5, 11, steps) != root
    assert climb(LEAVES[5], 4, 11, steps) != root
    assert climb(LEAVES[5], 5, 11, steps[::-1]) != root
    with pytest.raises(ValueError, match="another length"):
        climb(LEAVES[5], 5, 11, steps[1:])
