"""live: settings follow their files, and survive a bad edit."""

from snaphook.config import Environment, LiveSettings
from snaphook.errors import ConfigError

from .helpers import approve, hooks, put


def commands(live: LiveSettings) -> list[str]:
    return [hook.command for hook in live.current().hooks]


def test_a_changed_file_is_read_again_and_nothing_doubles(around: Environment):
    file = put(around.home / ".wave/settings.json", hooks("one"))
    live = LiveSettings(around)
    assert commands(live) == ["one"]

    put(file, hooks("another"))

    assert commands(live) == ["another"]
    assert live.current() is live.current()


def test_a_file_that_appears_counts_and_one_that_goes_does_not(around: Environment):
    live = LiveSettings(around)
    file = put(around.home / ".claude/settings.json", hooks("new"))
    assert commands(live) == ["new"]

    file.unlink()

    assert commands(live) == []


def test_a_bad_edit_keeps_the_last_good_settings_and_says_so(around: Environment):
    file = put(around.home / ".wave/settings.json", hooks("good"))
    live = LiveSettings(around)
    heard: list[ConfigError] = []

    file.write_text('{"hooks": ')
    for _ in range(2):
        live.current(on_problem=heard.append)

    assert commands(live) == ["good"]
    assert live.problem is heard[0]
    assert len(heard) == 1, "it is said once, not at every event"

    put(file, hooks("mended"))
    assert commands(live) == ["mended"]
    assert live.problem is None


def test_approving_a_project_takes_effect_without_a_restart(around: Environment):
    put(around.cwd / ".wave/settings.json", hooks("waiting"))
    live = LiveSettings(around)
    assert commands(live) == []

    approve(around)

    assert commands(live) == ["waiting"]


def test_a_changed_script_withdraws_the_approval_of_a_running_program(around: Environment):
    script = put(around.cwd / "check.sh", "exit 0\n")
    put(around.cwd / ".wave/settings.json", hooks("sh ./check.sh"))
    approve(around)
    live = LiveSettings(around)
    assert commands(live) == ["sh ./check.sh"]

    script.write_text("exit 0 # changed\n")

    assert commands(live) == []
