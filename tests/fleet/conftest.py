"""A database of its own for each test of the fleet, and machines that every test begins anew."""

import uuid
from collections.abc import Iterator
from urllib.parse import urlsplit

import psycopg
import pytest
from tests.fleet.machines import Machine


@pytest.fixture
def fleet_url(postgres_url: str) -> str:
    """The address of an empty database."""
    name = f"fleet_{uuid.uuid4().hex[:12]}"
    with psycopg.connect(postgres_url, autocommit=True) as server:
        server.execute(f"CREATE DATABASE {name}".encode())
    return urlsplit(postgres_url)._replace(path=f"/{name}").geturl()


@pytest.fixture(scope="module")
def pair() -> Iterator[tuple[Machine, Machine]]:
    """Two machines, not begun."""
    machines = (Machine(), Machine())
    yield machines
    for machine in machines:
        machine.close_gently()
        machine.close()
