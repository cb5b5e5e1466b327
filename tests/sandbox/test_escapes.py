"""Every way out of a sandbox that people have tried, and that it stays closed."""

import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path
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


def compiled(box: Box, name: str) -> Path:
    source = box.project / f"{name}.c"
    source.write_text(C[name])
    program = box.project / name
    subprocess.run(["cc", "-w", "-o", program, source], check=True)
    box.own()
    return program


@pytest.fixture(autouse=True)
def _nothing_outside_changes(box):
    before = box.state()
    yield
    assert box.state() == before


def test_a_symlink_leads_nowhere_one_may_not_go(box):
    box.run(f"ln -s {box.outside} out; echo x > out/data.txt; rm -rf out/*; echo y > out/new")


def test_a_symlink_in_the_place_of_a_project_file_is_followed_under_the_policy(box):
    box.run(f"rm keep.txt; ln -s {box.home}/.bashrc keep.txt; echo x >> keep.txt")


def test_a_hard_link_does_not_carry_a_file_across_the_border(box):
    done = box.run(f"ln {box.outside}/data.txt mine && echo x > mine")

    assert done.returncode != 0
    assert not (box.project / "mine").exists()


def test_a_hard_link_to_a_secret_cannot_be_made(box):
    done = box.run(f"ln {box.home}/.ssh/id_ed25519 key; cat key")

    assert SECRET not in done.stdout


def test_a_rename_does_not_carry_a_file_across_the_border(box):
    box.run(f"mv keep.txt {box.outside}/; mv {box.outside}/data.txt .; mv {box.home}/Documents .")


def test_the_root_of_another_process_is_closed(box):
    outer = subprocess.Popen(["sleep", "60"], **_as(box))
    try:
        done = box.run(
            f"ls /proc/{outer.pid}/root/; echo x > /proc/{outer.pid}/root{box.outside}/data.txt;"
            f"cat /proc/{outer.pid}/root{box.home}/.ssh/id_ed25519; cat /proc/{outer.pid}/environ;"
            f"cat /proc/1/root{box.home}/.netrc; rm /proc/{outer.pid}/cwd/data.txt"
        )
    finally:
        outer.kill()
        outer.wait()

    assert SECRET not in done.stdout


def test_the_descriptors_of_another_process_are_closed(box):
    with (box.outside / "data.txt").open("a") as held:
        outer = subprocess.Popen(["sleep", "60"], pass_fds=(held.fileno(),), **_as(box))
        try:
            done = box.run(f"echo x > /proc/{outer.pid}/fd/{held.fileno()}")
        finally:
            outer.kill()
            outer.wait()

    assert done.returncode != 0


def test_our_own_process_directory_leads_nowhere_else(box):
    done = box.run(
        f"echo x > /proc/self/root{box.outside}/data.txt; cat /proc/self/root{box.home}/.netrc;"
        f"echo x > /proc/thread-self/root{box.home}/.bashrc"
    )

    assert SECRET not in done.stdout


def test_inherited_descriptors_are_closed(box):
    program = compiled(box, "dirfd")
    folder = os.open(box.outside, os.O_RDONLY)
    file = os.open(box.outside / "data.txt", os.O_WRONLY | os.O_APPEND)
    try:
        done = box.run(str(program), pass_fds=(folder, file))
    finally:
        os.close(folder)
        os.close(file)

    assert done.returncode == 1


def test_processes_outside_are_neither_traced_nor_signalled(box):
    program = compiled(box, "ptrace")
    outer = subprocess.Popen(["sleep", "60"], **_as(box))
    try:
        done = box.run(
            f"kill -9 {outer.pid} && echo hit; {program} {outer.pid} && echo traced; kill -9 -1; true"
        )
        assert outer.poll() is None
    finally:
        outer.kill()
        outer.wait()

    assert "hit" not in done.stdout
    assert "traced" not in done.stdout


def test_signals_stay_inside_where_landlock_cannot_hold_them(box):
    outer = subprocess.Popen(["sleep", "60"], **_as(box))
    try:
        box.run(f"kill -9 {outer.pid}; kill -9 -1; true", without=("landlock",))
        assert outer.poll() is None
    finally:
        outer.kill()
        outer.wait()


@pytest.mark.needs("tmux")
def test_a_terminal_server_outside_runs_nothing_for_us(box):
    server = box.start(["tmux", "-S", f"{box.tmp}/tmux-agent", "new-session", "-d", "sleep 60"])
    assert server.returncode == 0, server.stderr
    try:
        box.run(
            f"tmux -S {box.tmp}/tmux-agent new-window 'echo x > {box.outside}/data.txt'; sleep 0.5",
            env={"TMUX": f"{box.tmp}/tmux-agent,1,0"},
        )
    finally:
        box.start(["tmux", "-S", f"{box.tmp}/tmux-agent", "kill-server"])


@pytest.mark.parametrize(
    "command",
    [
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
    ],
)  # fmt: skip
def test_no_other_program_does_it_for_us(box, command):
    names = {"outside": box.outside, "home": box.home, "project": box.project}
    box.run(command.format(**names))


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
def test_sockets_that_lead_outside_cannot_be_reached(box, variable, where):
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
        done = box.run(
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
        assert f"{variable}=" not in box.run("env", env={variable: str(path)}).stdout


def test_the_system_bus_and_the_container_engines_are_hidden(box):
    policy, _ = box.policy()
    there = [
        path for path in ("/run/dbus", "/run/docker.sock", "/run/podman") if os.path.lexists(path)
    ]

    assert set(there) <= set(policy.sockets)


def test_abstract_sockets_outside_cannot_be_reached(box):
    program = compiled(box, "abstract")
    name = f"snaphook-test-{os.getpid()}"
    served = socket.socket(socket.AF_UNIX)
    served.bind(f"\0{name}")
    served.listen()
    try:
        assert subprocess.run([program, name], check=False).returncode == 0  # it works, unconfined
        assert box.run(f"{program} {name}").returncode == 1
    finally:
        served.close()


def test_io_uring_is_not_there(box):
    done = box.run(str(compiled(box, "io_uring")))

    assert done.stdout.split() == ["-1", "38"]


def test_nothing_is_typed_into_the_terminal(box):
    done = box.run(str(compiled(box, "tiocsti")))

    assert done.stdout.split() == ["-1", "1"]


def test_sockets_past_every_network_cannot_be_made(box):
    assert box.run(str(compiled(box, "vsock"))).returncode == 1


def test_a_program_in_memory_is_confined_like_any_other(box):
    program = compiled(box, "memfd")

    box.run(f"{program} {box.outside}")


def test_a_background_process_stays_confined_after_its_parent(box):
    box.run(f"(sleep 0.3; echo x > {box.outside}/data.txt; echo done > {box.tmp}/done) & disown")

    until((box.tmp / "done").exists)


def test_names_that_are_protected_and_free_do_not_stay(box):
    from snaphook.sandbox.appeared import remove_appeared

    policy, _ = box.policy()
    box.run(
        "mkdir -p .codex .cursor; echo x > snaphook.toml; echo x > .codex/config.toml; echo x > .mcp.json"
    )
    removed = list(remove_appeared(policy.absent, box.tmp / "kept"))

    assert {Path(name).name for name in removed} == {"snaphook.toml", "config.toml", ".mcp.json"}
    assert not (box.project / "snaphook.toml").exists()


def test_secrets_cannot_be_read(box):
    done = box.run(
        "cat ~/.ssh/id_ed25519 ~/.aws/credentials ~/.netrc; cp -r ~/.ssh .; tar cf - ~ | cat; grep -r s3cr3t ~;"
        "ls -la ~/.ssh; find ~ -type f -exec cat {} +"
    )

    assert SECRET not in done.stdout


def test_tokens_are_not_in_the_environment(box):
    done = box.run(
        "env; cat /proc/self/environ /proc/$PPID/environ",
        env={"ANTHROPIC_API_KEY": SECRET, "GITHUB_TOKEN": SECRET, "MINE": "stays"},
    )

    assert SECRET not in done.stdout
    assert "MINE=stays" in done.stdout


def test_without_namespaces_writes_and_secrets_are_refused_all_the_same(box, new_box):
    done = box.run(f"echo x > {box.outside}/data.txt; rm -rf {box.home}/Documents; cat ~/.ssh/id_ed25519 ~/.netrc",
                   without=("namespaces",))  # fmt: skip

    assert SECRET not in done.stdout


def test_without_landlock_or_namespaces_nothing_runs(box):
    done = box.run("echo ran", without=("namespaces", "landlock"))

    assert done.returncode == 126
    assert "ran" not in done.stdout
    assert "snaphook sandbox status" in done.stderr


def _as(box: Box) -> dict[str, Any]:
    return {} if box.user is None else {"user": box.user, "group": box.user, "extra_groups": ()}
