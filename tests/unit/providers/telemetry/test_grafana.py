"""The dashboard that we ship: every query is asked of a real Prometheus that reads our endpoint."""

import json
import re
import subprocess
import time
from pathlib import Path
from socket import socket
from urllib.error import URLError
from urllib.parse import urlencode
from urllib.request import urlopen

import msgspec
import pytest
from tests.unit.providers.telemetry.story import record, story

from snaphook.providers.telemetry.measures import Measures
from snaphook.providers.telemetry.names import METRICS, MetricKind, prometheus_name
from snaphook.providers.telemetry.prometheus import Endpoint, exposition
from snaphook.stores.eventlog.record import RecordedAnswer

FILE = Path(__file__).parents[4] / "src/snaphook/providers/telemetry/grafana.json"
DASHBOARD = json.loads(FILE.read_text())
PANELS = [panel for panel in DASHBOARD["panels"] if panel["type"] != "row"]
QUERIES = [
    pytest.param(target["expr"], id=f"{panel['title']} {target['refId']}")
    for panel in PANELS
    for target in panel["targets"]
]
FILLED_IN = {"$__rate_interval": "5m", "$__range": "1h", "$__interval": "1m", "$repo": ".*"}
SERIES = {
    spelled
    for name, metric in METRICS.items()
    for spelled in (
        [f"{prometheus_name(name)}_{end}" for end in ("bucket", "sum", "count")]
        if metric.kind is MetricKind.HISTOGRAM
        else [prometheus_name(name)]
    )
}


class Target(msgspec.Struct, kw_only=True):
    expr: str
    refId: str  # noqa: N815 - Grafana's spelling
    datasource: dict[str, str]


class Panel(msgspec.Struct, kw_only=True):
    """As much of Grafana's shape as its importer insists on."""

    id: int
    type: str
    title: str
    gridPos: dict[str, int]  # noqa: N815
    targets: list[Target] = []


class Dashboard(msgspec.Struct, kw_only=True):
    title: str
    uid: str
    schemaVersion: int  # noqa: N815
    panels: list[Panel]
    templating: dict[str, list[dict[str, object]]]
    time: dict[str, str]


def filled_in(query: str) -> str:
    for variable, value in FILLED_IN.items():
        query = query.replace(variable, value)
    assert "$" not in query
    return query


def test_the_file_has_grafanas_shape_and_no_two_panels_share_a_place():
    dashboard = msgspec.convert(DASHBOARD, Dashboard)
    ids = [panel.id for panel in dashboard.panels]
    covered = [
        (x, y)
        for panel in dashboard.panels
        for x in range(panel.gridPos["x"], panel.gridPos["x"] + panel.gridPos["w"])
        for y in range(panel.gridPos["y"], panel.gridPos["y"] + panel.gridPos["h"])
    ]

    assert len(ids) == len(set(ids))
    assert len(covered) == len(set(covered))
    assert {x for x, _ in covered} <= set(range(24))


@pytest.mark.req("SQ-14")
@pytest.mark.parametrize("query", QUERIES)
def test_every_metric_a_panel_names_is_one_that_we_serve(query):
    without_labels = re.sub(r"by \([^)]*\)", "", query)
    named = set(re.findall(r"\b(?:snaphook|gen_ai)_[a-z_]+(?=[{\[)])", without_labels))

    assert named
    assert named <= SERIES


def a_busy_hour() -> Measures:
    """Return measures in which every metric has a series."""
    measures = Measures(now=1.0)
    for each in story():
        measures.take(each)
    failed = (RecordedAnswer(by="plugin", error="broke"),)
    measures.take(record(99, "PreToolUse", session="x", tool="Bash", answers=failed))
    measures.add("snaphook.telemetry.dropped", {"snaphook.signal": "spans"})
    return measures


@pytest.fixture(scope="module")
def prometheus(tmp_path_factory):
    """A real Prometheus that has read our endpoint a few times while its numbers grew."""
    folder = tmp_path_factory.mktemp("prometheus")
    measures = a_busy_hour()

    def read() -> str:
        for each in story():
            measures.take(each)
        return exposition(measures)

    ours = Endpoint(("127.0.0.1", 0), read)
    with socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    config = {
        "global": {"scrape_interval": "250ms"},
        "scrape_configs": [
            {
                "job_name": "snaphook",
                "static_configs": [{"targets": [ours.url.split("/")[2]]}],
            }
        ],
    }
    (folder / "prometheus.yml").write_text(json.dumps(config))  # JSON is YAML
    process = subprocess.Popen(
        [
            "prometheus",
            f"--config.file={folder}/prometheus.yml",
            f"--storage.tsdb.path={folder}/data",
            f"--web.listen-address=127.0.0.1:{port}",
            "--log.level=error",
        ],
        stderr=subprocess.DEVNULL,
    )
    url = f"http://127.0.0.1:{port}/api/v1/query"
    try:
        _wait_until(lambda: len(_ask(url, "count_over_time(snaphook_events_total[1m]) > 3")) > 0)
        yield url
    finally:
        process.terminate()
        process.wait(10)
        ours.close()


def _ask(url: str, query: str) -> list[dict[str, object]]:
    with urlopen(f"{url}?{urlencode({'query': query})}", timeout=5) as answer:
        found = json.load(answer)
    assert found["status"] == "success"
    result: list[dict[str, object]] = found["data"]["result"]
    return result


def _wait_until(true) -> None:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            if true():
                return
        except URLError:
            pass
        time.sleep(0.05)
    pytest.fail("Prometheus did not read the endpoint within 30 s")


@pytest.mark.req("SQ-14")
@pytest.mark.needs("prometheus")
def test_a_real_prometheus_answers_every_panel_with_numbers(prometheus):
    for query in (param.values[0] for param in QUERIES):
        found = _ask(prometheus, filled_in(str(query)))

        assert found, query
        values = [float(row["value"][1]) for row in found]  # type: ignore[index]
        assert all(value == value for value in values), f"{query}: no number"
