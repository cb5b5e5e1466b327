"""commands: what runs is compared, not how it is spelled."""

import pytest

from snaphook.providers.policies import DEFAULT_BLOCKED_COMMANDS, PreToolUseContext
from snaphook.providers.policies.commands import BlockedCommands, CompatibleBlockedCommands

STRICT = BlockedCommands(DEFAULT_BLOCKED_COMMANDS)


def shell(command, tool="Bash"):
    return PreToolUseContext(tool_name=tool, arguments={"command": command})


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize(
    "command",
    [
        "rm -rf /",
        "rm -fr /",
        "rm  -rf x",
        "rm -r -f x",
        "rm -Rf x",
        "rm x -r --force",
        "rm --recursive --force x",
        "rm -rfv x",
        "RM -rf x",
        "/bin/rm -rf x",
        "'rm' -rf x",
        "r\\m -rf x",
        '"r"m -rf x',
        "$'\\x72m' -rf x",
        "cd build && rm -rf .",
        "true; rm -rf x",
        "if true; then rm -rf x; fi",
        "(rm -rf x)",
        "echo $(rm -rf x)",
        'echo "`rm -rf x`"',
        "FOO=1 rm -rf x",
        "sudo rm -rf x",
        "sudo -u root rm -rf x",
        "env A=1 rm -rf x",
        "timeout 5 rm -rf x",
        "xargs rm -rf < list",
        "find . -name x -exec rm -rf {} +",
        "sh -c 'rm -rf x'",
        'bash -lc "cd y && rm -rf x"',
        "sudo bash -c 'rm -rf x'",
        "eval 'rm -rf x'",
        'ssh host "rm -rf x"',
        "bash <<EOF\nrm -rf x\nEOF",
        "bash <<< 'rm -rf x'",
        "rm -rf 'unterminated",
        "git push --force",
        "git push -f origin main",
        "git -C app push origin main --force",
        "git -c user.name=x push -f",
        "git --no-pager push -uf origin main",
        "git rebase -i HEAD~3",
        "git --git-dir=x rebase main",
        "git reset --hard HEAD~1",
        "git reset HEAD~1 --hard",
        ["bash", "-lc", "rm -rf x"],
        ["rm", "-rf", "x"],
    ],
)
def test_a_blocked_command_is_blocked_however_it_is_written(command):
    assert STRICT.objects_to(shell(command)) is not None


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize(
    "command",
    [
        'echo "rm -rf"',
        "echo rm -rf /",
        "# rm -rf /",
        "rm -r x",
        "rm -f x",
        "rm -- -rf",
        "git push --force-with-lease",
        "git push --force-if-includes origin topic",
        "git push origin rebase",
        "git checkout rebase",
        "git checkout -b rebase",
        "git log --grep='git rebase'",
        "git commit -m 'never git push --force'",
        "git reset --soft HEAD~1",
        "grep -rf patterns.txt .",
        "npm run rm -rf",
        "cat <<EOF\nrm -rf x\nEOF",
        "farm -rf x",
        "ls $HOME",
        "",
    ],
)
def test_a_harmless_command_that_looks_alike_runs(command):
    assert STRICT.objects_to(shell(command)) is None


@pytest.mark.parametrize(
    ("entry", "command", "is_blocked"),
    [
        pytest.param("npm publish", "npm --tag next publish", True, id="behind an option's value"),
        pytest.param("npm publish", "npm run publish", False, id="another subcommand"),
        pytest.param("kubectl delete ns", "kubectl -n prod delete ns x", True, id="three names"),
        pytest.param("git clean -fdx", "git clean -d -x --force", True, id="a cluster of three"),
        pytest.param("git clean -fdx", "git clean -fd", False, id="one flag short"),
        pytest.param(
            "Remove-Item -Recurse -Force",
            "remove-item C:/x -force -recurse",
            True,
            id="PowerShell's names have no case",
        ),
        pytest.param("docker run --privileged", "docker run --privileged=true x", True, id="="),
        pytest.param("/DROP\\s+TABLE/", 'psql -c "DROP  TABLE x"', True, id="a regex"),
        pytest.param(
            "/DROP\\s+TABLE/", "psql -c 'SELECT 1'", False, id="a regex that is not there"
        ),
        pytest.param("shutdown", "/sbin/shutdown now", True, id="a program alone"),
    ],
)
def test_an_entry_names_a_program_its_subcommands_and_its_flags(entry, command, is_blocked):
    assert (BlockedCommands((entry,)).objects_to(shell(command)) is not None) is is_blocked


@pytest.mark.parametrize(
    "tool",
    [
        "Bash",
        "bash",
        "run_shell_command",
        "Shell",
        "powershell",
        "run_in_terminal",
        "run_terminal_command",
        "Execute",
        "execute_bash",
        "execute_pwsh",
        "mcp__box__run_command",
        "local_shell",
    ],
)
def test_every_hosts_shell_is_a_shell(tool):
    assert STRICT.objects_to(shell("rm -rf x", tool)) is not None


@pytest.mark.parametrize(
    "command",
    [
        "x=terraform; $x destroy",
        "x=terra y=form; $x$y destroy",
        "alias t=terraform; t destroy",
        "shopt -s expand_aliases; alias t='terraform destroy'; t",
        'f() { terraform "$@"; }; f destroy',
        "printf 'terra%s destroy' form | sh",
        "echo 'terraform destroy' | bash",
        "echo dGVycmFmb3JtIGRlc3Ryb3kK | base64 -d | sh",
        'eval "terra"form destroy',
        'set -- terraform destroy; "$@"',
        "bash <<< 'terraform destroy'",
        "bash <(echo terraform destroy)",
        "trap 'terraform destroy' EXIT",
        "echo destroy | xargs terraform",
        "sudo -u root env A=1 terraform -chdir=x destroy",
        "t''erraform destroy",
        "cd infra && terraform destroy",
    ],
)
def test_a_blocked_command_is_found_by_what_the_shell_would_run(command):
    assert BlockedCommands(("terraform destroy",)).objects_to(shell(command))


@pytest.mark.parametrize(
    "command",
    [
        "x=terraform; $x plan",
        "alias t=terraform; t plan",
        "printf 'terra%s destroy' form",
        "echo 'terraform destroy' | cat",
        "f() { terraform destroy; }; g",
        "git commit -m 'do not terraform destroy'",
    ],
)
def test_a_command_that_would_not_run_is_not_blocked(command):
    assert BlockedCommands(("terraform destroy",)).objects_to(shell(command)) is None


def test_a_tool_that_is_no_shell_may_say_what_it_likes():
    assert STRICT.objects_to(shell("rm -rf x", "Read")) is None


def test_both_modes_give_the_reason_in_the_words_squad_uses():
    reason = (
        'Shell command blocked: Command contains prohibited pattern "rm -rf". '
        "Blocked commands: rm -rf, git push --force, git rebase, git reset --hard"
    )

    assert STRICT.objects_to(shell("rm -r -f x")) == reason
    compatible = CompatibleBlockedCommands(DEFAULT_BLOCKED_COMMANDS)
    assert compatible.objects_to(shell("rm -rf x", "bash")) == reason


def test_a_deep_nest_of_shells_comes_to_an_end():
    command = "sh -c " * 40 + "'rm -rf x'"

    STRICT.objects_to(shell(command))
    STRICT.objects_to(shell("eval " * 2_000 + "x"))
    STRICT.objects_to(shell("sudo " * 300 + "rm x"))
