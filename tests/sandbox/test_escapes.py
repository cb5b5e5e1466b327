"""Every way out of a sandbox that people have tried, and that it stays closed."""

import os
import shutil
import socket
import subprocess
import sys
from typing import Any

import pytest
from tests.sandbox.box import SECRET, Box
from tests.until import until

C = {
    "io_uring": '#include <sys/syscall.h>\n#include <unistd.h>\n#include <stdio.h>\n#include <errno.h>\n'
    'int main(void){char p[256]={0};long r=syscall(425,4,p);printf("%ld %d\\n",r,errno);return r>=0?0:1;}',
    "memfd": '#define _GNU_SOURCE\n#include <sys/mman.h>\n#include <unistd.h>\n#include <fcntl.h>\n'
    '#include <stdlib.h>\nint main(int c,char**v){int s=open("/bin/rm",0),d=memfd_create("x",0);char b[65536];'
    'ssize_t n;while((n=read(s,b,sizeof b))>0)write(d,b,n);extern char**environ;'
    'char*a[]={"rm","-rf",v[1],0};return fexecve(d,a,environ);}',
    "tiocsti": '#include <sys/ioctl.h>\n#include <errno.h>\n#include <stdio.h>\n'
    'int main(void){char c=65;int r=ioctl(0,0x5412,&c);printf("%d %d\\n",r,errno);return r?1:0;}',
    "ptrace": '#include <sys/ptrace.h>\n#include <stdlib.h>\nint main(int c,char**v){'
    'return ptrace(PTRACE_ATTACH,atoi(v[1]),0,0)==0?0:1;}',
    "abstract": '#include <sys/socket.h>\n#include <sys/un.h>\n#include <string.h>\n#include <stddef.h>\n'
    'int main(int c,char**v){struct sockaddr_un a={.sun_family=1};strcpy(a.sun_path+1,v[1]);'
    'int f=socket(1,1,0);return connect(f,(void*)&a,offsetof(struct sockaddr_un,sun_path)+1+strlen(v[1]))?1:0;}',
    "dirfd": '#include <fcntl.h>\n#include <unistd.h>\nint main(void){for(int f=3;f<64;f++){'
    'int g=openat(f,"escaped",O_CREAT|O_WRONLY,0600);if(g>=0)return 0;if(write(f,"x",1)==1)return 0;}return 1;}',
    "vsock": '#include <sys/socket.h>\nint main(void){return socket(40,1,0)<0&&socket(17,3,0)<0;}',
}  # fmt: skip


OTHERS = [
    pytest.param("echo 'rm -rf {outside}' | at now", id="at"),
    pytest.param("(crontab -l; echo '* * * * * rm -rf {outside}') | crontab -", id="cron"),
    pytest.param("echo x > /etc/cron.d/evil || echo x > /var/spool/cron/evil", id="cron's folders"),
    pytest.param("systemd-run --user rm -rf {outside}", id="systemd-run"),
    pytest.param("mkdir -p ~/.config/systemd/user && echo x > ~/.config/systemd/user/e.service", id="a unit"),
    pytest.param("mkdir -p ~/.config/autostart && echo x > ~/.config/autostart/e.desktop", id="autostart"),
    pytest.param("screen -dmS x rm -rf {outside}", id="screen"),
    pytest.param("ssh -o StrictHostKeyChecking=no localhost rm -rf {outside}", id="ssh"),
    pytest.param("nohup setsid rm -rf {outside} & sleep 0.3", id="a session of its own"),
    pytest.param("unshare -Ur rm -rf {outside}", id="a user namespace"),
    pytest.param("unshare -Urm sh -c 'mount -o remount,rw / ; umount -l {home}/.ssh; rm -rf {outside}'", id="mounts"),
    pytest.param("unshare -Urm sh -c 'mount -t tmpfs x {outside}; mount --bind {project} {outside}'", id="a mount on top"),
    pytest.param("chroot / rm -rf {outside}", id="chroot"),
    pytest.param("sudo -n rm -rf {outside}; su -c 'rm -rf {outside}'; pkexec rm -rf {outside}", id="set-uid"),
    pytest.param("chmod -R 777 {outside} {home}/Documents; chown -R 1 {outside}", id="permissions"),
    pytest.param("touch -d 2001-01-01 {outside}/data.txt {home}/.bashrc", id="times"),
    pytest.param("setfattr -n user.x -v y {outside}/data.txt; chattr +i {outside}/data.txt", id="attributes"),
    pytest.param("truncate -s 0 {outside}/data.txt; : > {home}/.bashrc", id="truncation"),
    pytest.param("dd if=/dev/zero of={outside}/data.txt; cp /dev/null {home}/.bashrc", id="overwriting"),
    pytest.param("mv .git old; mkdir .git; echo x > .git/config", id="moving .git away"),
    pytest.param("mv ../project ../moved; mkdir -p {project}/.git; echo x > {project}/.git/config", id="moving the project"),
    pytest.param("rm -rf .git/hooks; mkdir .git/hooks; echo x > .git/hooks/pre-commit", id="a hook"),
    pytest.param("git config core.fsmonitor x; echo '[core]' > .git/config", id="git's settings"),
    pytest.param("rm .claude/settings.json; mv .claude c; echo x > .claude/settings.json", id="agent settings"),
    pytest.param("sed -i s/a/b/ .claude/settings.json; ln -sf /dev/null .claude/settings.json", id="sed -i"),
    pytest.param("echo 1 > /proc/sys/kernel/core_pattern; echo c > /proc/sysrq-trigger", id="/proc/sys"),
    pytest.param("mknod disk b 8 0; cat disk | head -c 1", id="a device of one's own"),
    pytest.param("python3 -c 'import os; os.setuid(0)'; id", id="becoming root"),
]  # fmt: skip
"""Ways to have it done by another program, a namespace, or a call that Landlock does not cover."""


@pytest.fixture(scope="module")
def others(box):
    """Return, for each of them, its own folder outside before and after: all tried in one start."""
    commands = [str(one.values[0]) for one in OTHERS]
    folders = [box.base / f"outside-{number}" for number in range(len(commands))]
    for folder in folders:
        folder.mkdir()
        (folder / "data.txt").write_text("precious\n")
    box.own()
    before = box.state()
    lines = [
        f"( cd {box.project}; {command.format(outside=folder, home=box.home, project=box.project)} ) &"
        for command, folder in zip(commands, folders, strict=True)
    ]
    box.run("\n".join([*lines, "wait"]))
    after = box.state()
    return {
        command: (_part(before, folder.name), _part(after, folder.name))
        for command, folder in zip(commands, folders, strict=True)
    }


def _part(state: dict[str, Any], folder: str) -> dict[str, Any]:
    """Return of *state* one folder, and everything that no case has for itself."""
    return {
        path: told
        for path, told in state.items()
        if not path.startswith("outside-") or path.partition("/")[0] == folder
    }


@pytest.fixture(scope="module")
def programs(tmp_path_factory):
    """Return the folder of the compiled programs."""
    folder = tmp_path_factory.mktemp("programs")
    for name, source in C.items():
        (folder / f"{name}.c").write_text(source)
    build = "\n".join(f"cc -w -o {name} {name}.c &" for name in C)
    subprocess.run(["sh", "-c", f"{build}\nwait"], check=True, cwd=folder)
    return folder


@pytest.fixture
def run(box, programs):
    """Return what runs shell text confined, with the compiled programs at hand."""
    for name in C:
        if not (box.project / name).exists():
            shutil.copy2(programs / name, box.project / name)
    (box.project / "keep.txt").write_text("keep\n")
    box.own()
    return box.run


@pytest.fixture
def before(box):
    """Return what everything outside the project is like before the test."""
    return box.state()


def test_a_symlink_leads_nowhere_one_may_not_go(box, run, before):
    run(f"ln -s {box.outside} out; echo x > out/data.txt; rm -rf out/*; echo y > out/new")

    assert box.state() == before


def test_a_symlink_in_the_place_of_a_project_file_is_followed_under_the_policy(box, run, before):
    run(f"rm keep.txt; ln -s {box.home}/.bashrc keep.txt; echo x >> keep.txt")

    assert box.state() == before


def test_a_hard_link_does_not_carry_a_file_across_the_border(box, run, before):
    done = run(f"ln {box.outside}/data.txt mine && echo x > mine")

    assert done.returncode != 0
    assert not (box.project / "mine").exists()
    assert box.state() == before


def test_a_hard_link_to_a_secret_cannot_be_made(box, run, before):
    done = run(f"ln {box.home}/.ssh/id_ed25519 key; cat key")

    assert SECRET not in done.stdout
    assert box.state() == before


def test_a_rename_does_not_carry_a_file_across_the_border(box, run, before):
    run(f"mv keep.txt {box.outside}/; mv {box.outside}/data.txt .; mv {box.home}/Documents .")

    assert box.state() == before


def test_the_root_of_another_process_is_closed(box, run, before):
    outer = subprocess.Popen(["sleep", "60"], **_as(box))
    try:
        done = run(
            f"ls /proc/{outer.pid}/root/; echo x > /proc/{outer.pid}/root{box.outside}/data.txt;"
            f"cat /proc/{outer.pid}/root{box.home}/.ssh/id_ed25519; cat /proc/{outer.pid}/environ;"
            f"cat /proc/1/root{box.home}/.netrc; rm /proc/{outer.pid}/cwd/data.txt"
        )
    finally:
        outer.kill()
        outer.wait()

    assert SECRET not in done.stdout
    assert box.state() == before


def test_the_descriptors_of_another_process_are_closed(box, run, before):
    with (box.outside / "data.txt").open("a") as held:
        outer = subprocess.Popen(["sleep", "60"], pass_fds=(held.fileno(),), **_as(box))
        try:
            done = run(f"echo x > /proc/{outer.pid}/fd/{held.fileno()}")
        finally:
            outer.kill()
            outer.wait()

    assert done.returncode != 0
    assert box.state() == before


def test_our_own_process_directory_leads_nowhere_else(box, run, before):
    done = run(
        f"echo x > /proc/self/root{box.outside}/data.txt; cat /proc/self/root{box.home}/.netrc;"
        f"echo x > /proc/thread-self/root{box.home}/.bashrc"
    )

    assert SECRET not in done.stdout
    assert box.state() == before


def test_inherited_descriptors_are_closed(box, run, before):
    program = box.project / "dirfd"
    folder = os.open(box.outside, os.O_RDONLY)
    file = os.open(box.outside / "data.txt", os.O_WRONLY | os.O_APPEND)
    try:
        done = run(str(program), pass_fds=(folder, file))
    finally:
        os.close(folder)
        os.close(file)

    assert done.returncode == 1
    assert box.state() == before


def test_processes_outside_are_neither_traced_nor_signalled(box, run, before):
    program = box.project / "ptrace"
    outer = subprocess.Popen(["sleep", "60"], **_as(box))
    try:
        done = run(
            f"kill -9 {outer.pid} && echo hit; {program} {outer.pid} && echo traced; kill -9 -1; true"
        )
        assert outer.poll() is None
    finally:
        outer.kill()
        outer.wait()

    assert "hit" not in done.stdout
    assert "traced" not in done.stdout
    assert box.state() == before


def test_signals_stay_inside_where_landlock_cannot_hold_them(box, run, before):
    outer = subprocess.Popen(["sleep", "60"], **_as(box))
    try:
        run(f"kill -9 {outer.pid}; kill -9 -1; true", without=("landlock",))
        assert outer.poll() is None
    finally:
        outer.kill()
        outer.wait()

    assert box.state() == before


@pytest.mark.needs("tmux")
def test_a_terminal_server_outside_runs_nothing_for_us(box, run, before):
    server = box.start(["tmux", "-S", f"{box.tmp}/tmux-agent", "new-session", "-d", "sleep 60"])
    assert server.returncode == 0, server.stderr
    try:
        run(
            f"tmux -S {box.tmp}/tmux-agent new-window 'echo x > {box.outside}/data.txt'; sleep 0.5",
            env={"TMUX": f"{box.tmp}/tmux-agent,1,0"},
        )
    finally:
        box.start(["tmux", "-S", f"{box.tmp}/tmux-agent", "kill-server"])

    assert box.state() == before


@pytest.mark.parametrize("command", OTHERS)
def test_no_other_program_does_it_for_us(others, command):
    before, after = others[command]

    assert "home/Documents/thesis.txt" in before
    assert after == before


@pytest.mark.parametrize(
    ("variable", "where"),
    [
        ("SSH_AUTH_SOCK", "tmp/ssh-abc/agent.1"),
        ("DOCKER_HOST", "home/.docker/run/docker.sock"),
        ("CONTAINER_HOST", "home/.local/share/podman.sock"),
        ("DBUS_SESSION_BUS_ADDRESS", "tmp/dbus-xyz"),
        ("SNAPHOOK_SOCKET", "tmp/snaphook-0/daemon.sock"),
        ("", "home/.gnupg/S.gpg-agent"),
        ("", "home/anything.sock"),
    ],
)
def test_sockets_that_lead_outside_cannot_be_reached(box, run, before, variable, where):
    path = box.base / where
    path.parent.mkdir(parents=True, exist_ok=True)
    served = socket.socket(socket.AF_UNIX)
    served.bind(str(path))
    served.listen()
    path.chmod(0o777)
    box.own()
    try:
        reach = f"import socket; socket.socket(socket.AF_UNIX).connect('{path}'); print('reached')"
        prefix = {"DBUS_SESSION_BUS_ADDRESS": "unix:path=", "DOCKER_HOST": "unix://"}.get(
            variable, ""
        )
        done = run(
            f'{sys.executable if box.user is None else "python3"} -c "{reach}"',
            env={variable: f"{prefix}{path}"} if variable else {},
        )
    finally:
        served.close()
        path.unlink(missing_ok=True)
        for folder in (box.home / ".docker", box.home / ".local", box.home / ".gnupg"):
            shutil.rmtree(folder, ignore_errors=True)

    assert "reached" not in done.stdout
    if variable:
        assert f"{variable}=" not in run("env", env={variable: str(path)}).stdout
    assert box.state() == before


def test_the_system_bus_and_the_container_engines_are_hidden(box, run, before):
    policy, _ = box.policy()
    there = [
        path for path in ("/run/dbus", "/run/docker.sock", "/run/podman") if os.path.lexists(path)
    ]

    assert set(there) <= set(policy.sockets)
    assert box.state() == before


def test_abstract_sockets_outside_cannot_be_reached(box, run, before):
    program = box.project / "abstract"
    name = f"snaphook-test-{os.getpid()}"
    served = socket.socket(socket.AF_UNIX)
    served.bind(f"\0{name}")
    served.listen()
    try:
        assert subprocess.run([program, name], check=False).returncode == 0  # it works, unconfined
        assert run(f"{program} {name}").returncode == 1
    finally:
        served.close()

    assert box.state() == before


def test_io_uring_is_not_there(box, run, before):
    done = run("./io_uring")

    assert done.stdout.split() == ["-1", "38"]
    assert box.state() == before


def test_nothing_is_typed_into_the_terminal(box, run, before):
    done = run("./tiocsti")

    assert done.stdout.split() == ["-1", "1"]
    assert box.state() == before


def test_sockets_past_every_network_cannot_be_made(box, run, before):
    assert run("./vsock").returncode == 1

    assert box.state() == before


def test_a_program_in_memory_is_confined_like_any_other(box, run, before):
    program = box.project / "memfd"

    run(f"{program} {box.outside}")

    assert box.state() == before


def test_a_background_process_stays_confined_after_its_parent(box, run, before):
    run(f"(sleep 0.3; echo x > {box.outside}/data.txt; echo done > {box.tmp}/done) & disown")

    until((box.tmp / "done").exists)

    assert box.state() == before


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("echo x > snaphook.toml", id="a file"),
        pytest.param("mkdir -p .codex && echo x > .codex/config.toml", id="a file in a new folder"),
        pytest.param("mkdir -p .cursor/rules", id="a folder"),
        pytest.param("echo x > a; mv a .mcp.json", id="a rename"),
        pytest.param("mkdir b; echo x > b/settings.json; mv b .gemini", id="a folder renamed"),
        pytest.param("mkdir c; ln -s c .qwen; echo x > c/settings.json", id="a link to a folder"),
        pytest.param("ln -s opencode.json d; echo x > d", id="through a link to nowhere"),
        pytest.param("echo x > e; ln e opencode.jsonc", id="a hard link"),
        pytest.param("mkdir -p .vscode; cd .vscode; cp ../keep.txt tasks.json", id="another folder"),
        pytest.param("mkdir f; ln -s ../.git f/g; mkdir -p f/g/info; echo x > f/g/info/attributes", id="git's"),
        pytest.param("mkdir h; echo x > h/hooks.json; tar cf t.tar -C h hooks.json; mkdir -p .windsurf; "
                     "tar xf t.tar -C .windsurf", id="an archive"),
        pytest.param("python3 -c \"import os; os.open('.copilot/../snaphook.local.toml', os.O_CREAT)\"; "
                     "mkdir -p .copilot; python3 -c \"open('.copilot/../snaphook.local.toml', 'w')\"", id="around"),
        pytest.param("(sleep 0.2; echo x > snaphook.toml; touch late) & disown", id="in the background"),
    ],
)  # fmt: skip
def test_names_that_are_protected_and_free_cannot_be_made(box, run, before, command):
    policy, _ = box.policy()
    run(command)
    if "late" in command:
        until((box.project / "late").exists)

    assert [name for name in policy.absent if os.path.lexists(name)] == []
    assert box.state() == before


def test_what_a_person_makes_during_a_confined_command_stays(box, run, before):
    from snaphook.sandbox.appeared import appeared

    policy, prefix = box.policy()
    waits = "echo up > up; until [ -e go ]; do sleep 0.02; done; echo x > snaphook.toml"
    process = subprocess.Popen(
        [*prefix.words, "bash", "-c", waits], cwd=box.project, env=box.env, stderr=subprocess.PIPE, **_as(box)
    )  # fmt: skip
    until((box.project / "up").exists)
    (box.project / "snaphook.toml").write_text("mine\n")
    (box.project / "go").touch()
    process.communicate(timeout=60)
    text = (box.project / "snaphook.toml").read_text()
    found = list(appeared(policy.absent))
    for name in ("up", "go", "snaphook.toml"):
        (box.project / name).unlink()

    assert text == "mine\n"
    assert found == [f"{box.project}/snaphook.toml"]
    assert box.state() == before


def test_secrets_cannot_be_read(box, run, before):
    done = run(
        "cat ~/.ssh/id_ed25519 ~/.aws/credentials ~/.netrc; cp -r ~/.ssh .; tar cf - ~ | cat; grep -r s3cr3t ~;"
        "ls -la ~/.ssh; find ~ -type f -exec cat {} +"
    )

    assert SECRET not in done.stdout
    assert box.state() == before


def test_tokens_are_not_in_the_environment(box, run, before):
    done = run(
        "env; cat /proc/self/environ /proc/$PPID/environ",
        env={"ANTHROPIC_API_KEY": SECRET, "GITHUB_TOKEN": SECRET, "MINE": "stays"},
    )

    assert SECRET not in done.stdout
    assert "MINE=stays" in done.stdout
    assert box.state() == before


def test_without_namespaces_writes_and_secrets_are_refused_all_the_same(box, run, before):
    done = run(f"echo x > {box.outside}/data.txt; rm -rf {box.home}/Documents; cat ~/.ssh/id_ed25519 ~/.netrc",
                   without=("namespaces",))  # fmt: skip

    assert SECRET not in done.stdout
    assert box.state() == before


def test_without_landlock_or_namespaces_nothing_runs(box, run, before):
    done = run("echo ran", without=("namespaces", "landlock"))

    assert done.returncode == 126
    assert "ran" not in done.stdout
    assert "snaphook sandbox status" in done.stderr
    assert box.state() == before


def _as(box: Box) -> dict[str, Any]:
    return {} if box.user is None else {"user": box.user, "group": box.user, "extra_groups": ()}
