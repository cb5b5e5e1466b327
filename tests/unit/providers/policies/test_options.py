"""options: every mistake is told at once, with what to do next."""

import pytest

from snaphook.config import Environment
from snaphook.config.check import check
from snaphook.errors import ConfigError
from snaphook.providers.policies import (
    DEFAULT_BLOCKED_COMMANDS,
    DefaultHooksProvider,
    HookPipeline,
    PolicyConfig,
    PolicyMode,
    define_hooks,
    errors_in,
    problems_in,
    read_options,
)


@pytest.mark.req("SQ-6")
def test_nothing_given_is_the_default_behaviour():
    assert read_options({}) == PolicyConfig()
    assert PolicyConfig().commands == DEFAULT_BLOCKED_COMMANDS
    assert define_hooks().get_pipeline().config == PolicyConfig()


@pytest.mark.req("SQ-6")
@pytest.mark.parametrize("name", ["max_ask_user", "max_ask_user_per_session", "maxAskUser"])
def test_the_limit_may_be_called_by_either_name(name):
    assert define_hooks({name: 3}).get_pipeline().config.max_ask_user_per_session == 3


@pytest.mark.parametrize(
    ("options", "config"),
    [
        pytest.param(
            {"allowedWritePaths": ["src/**"], "scrubPii": True, "blockedCommands": []},
            PolicyConfig(allowed_write_paths=("src/**",), scrub_pii=True, blocked_commands=()),
            id="Squad's spelling",
        ),
        pytest.param({"blocked_commands": None}, PolicyConfig(), id="null is the default"),
        pytest.param(
            {"mode": "compatible", "max_ask_user": -1},
            PolicyConfig(mode=PolicyMode.COMPATIBLE, max_ask_user_per_session=-1),
            id="Squad takes negative limits",
        ),
    ],
)
def test_options_become_a_config(options, config):
    assert read_options(options) == config


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(
            {"scrub_piii": True},
            "hooks.scrub_piii: unknown policy 'scrub_piii'. Did you mean 'scrub_pii'?",
            id="a typo",
        ),
        pytest.param(
            {"max_ask_user": "3"},
            "hooks.max_ask_user: '3' does not fit here. Write a whole number.",
            id="a text for a number",
        ),
        pytest.param(
            {"max_ask_user": True},
            "hooks.max_ask_user: True does not fit here. Write a whole number.",
            id="true for a number",
        ),
        pytest.param(
            {"max_ask_user": -1},
            "hooks.max_ask_user: invalid number of questions -1. "
            "Write 0 to forbid questions, or leave it out for no limit.",
            id="a negative limit",
        ),
        pytest.param(
            {"max_ask_user": 1, "maxAskUserPerSession": 2},
            "hooks.maxAskUserPerSession: duplicates 'max_ask_user'. "
            "Keep 'max_ask_user_per_session'.",
            id="both names",
        ),
        pytest.param(
            {"allowed_write_paths": "src/**"},
            "hooks.allowed_write_paths: 'src/**' does not fit here. "
            'Write a list of globs, such as ["src/**"].',
            id="a text for a list",
        ),
        pytest.param(
            {"blocked_commands": ["rm -rf", ""]},
            "hooks.blocked_commands[1]: is empty. "
            "Remove the entry: an empty one would match everything or nothing.",
            id="an empty entry",
        ),
        pytest.param(
            {"blocked_commands": ["curl x | sh"]},
            "hooks.blocked_commands[0]: 'curl x | sh' is more than one command. "
            "Name one command per entry, or write a regular expression between slashes.",
            id="a pipe",
        ),
        pytest.param(
            {"blocked_commands": ["/rm (/"]},
            "hooks.blocked_commands[0]: '/rm (/' is not a valid regular expression: "
            "missing ), unterminated subpattern at position 3. "
            "Fix it, or remove the slashes to compare words.",
            id="a bad regex",
        ),
        pytest.param(
            {"allowed_write_paths": ["src/[z-a]"]},
            "hooks.allowed_write_paths[0]: 'src/[z-a]' is not a valid glob: "
            "bad character range z-a at position 6. "
            "Fix it; '*', '**', '?', '[abc]' and '{a,b}' are special.",
            id="a bad glob",
        ),
        pytest.param(
            {"mode": "compatible", "allowed_write_paths": ["src/("]},
            "hooks.allowed_write_paths[0]: 'src/(' is not a valid glob: "
            "missing ), unterminated subpattern at position 5. "
            "Fix it; '*', '**', '?', '[abc]' and '{a,b}' are special.",
            id="a glob Squad would choke on",
        ),
        pytest.param(
            {"mode": "lenient"},
            "hooks.mode: 'lenient' does not fit here. Write 'strict' or 'compatible'.",
            id="an unknown mode",
        ),
        pytest.param(
            ["src/**"],
            "hooks: ['src/**'] is not a table. "
            "Write a table of policies, such as {scrub_pii = true}.",
            id="no table",
        ),
    ],
)
def test_a_mistake_is_told_with_what_to_do_next(options, said):
    assert [str(problem) for problem in problems_in(options, where="hooks")] == [said]


def test_all_mistakes_are_told_in_one_visit():
    with pytest.raises(ConfigError) as told:
        define_hooks(scrub_piii=True, max_ask_user="3", mode="lenient")

    message = str(told.value)
    assert message == (
        "define_hooks: 3 problems:\n"
        "  define_hooks.scrub_piii: unknown policy 'scrub_piii'. Did you mean 'scrub_pii'?\n"
        "  define_hooks.max_ask_user: '3' does not fit here. Write a whole number.\n"
        "  define_hooks.mode: 'lenient' does not fit here. Write 'strict' or 'compatible'.\n"
        "No policy was enabled. Fix them and try again."
    )


@pytest.mark.parametrize("make", [HookPipeline, DefaultHooksProvider])
def test_a_mapping_and_a_config_are_held_to_the_same(make):
    with pytest.raises(ConfigError, match=r"policies.blocked_commands\[0\]: is empty"):
        make({"blocked_commands": [""]})
    with pytest.raises(ConfigError, match=r"policies.blocked_commands\[0\]: is empty"):
        make(PolicyConfig(blocked_commands=("",)))


def test_what_is_no_mapping_is_refused():
    with pytest.raises(ConfigError, match="is not a table"):
        define_hooks(["src/**"])


@pytest.mark.req("SQ-6")
def test_snaphook_check_finds_a_mistake_in_a_settings_file(tmp_path):
    file = tmp_path / "snaphook.toml"
    file.write_text(
        '[providers.default]\nuse = "default"\n\n'
        '[providers.default.options]\nscrub_pii = true\nblocked_commands = ["a | b"]\n'
    )
    around = Environment.here(tmp_path, env={"HOME": str(tmp_path)})

    problems = check(around, file=file, providers={"default": errors_in})

    assert [str(problem) for problem in problems] == [
        (
            f"{file}:6: providers.default.options.blocked_commands[0]: 'a | b' is more than one "
            "command. Name one command per entry, or write a regular expression between slashes."
        )
    ]
