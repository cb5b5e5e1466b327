"""writes: a path counts as where it really leads."""

import pytest

from snaphook.providers.policies import PreToolUseContext
from snaphook.providers.policies.writes import AllowedWritePaths

SOURCES = AllowedWritePaths(("src/**", "*.md"))


@pytest.fixture
def project(tmp_path):
    root = tmp_path / "project"
    (root / "src" / "inner").mkdir(parents=True)
    (tmp_path / "outside").mkdir()
    (root / "src" / "door").symlink_to(tmp_path / "outside")
    (root / "back").symlink_to(root / "src")
    return root


def write(root, tool="Write", cwd="", **arguments):
    return PreToolUseContext(
        tool_name=tool, arguments=arguments, cwd=cwd or str(root), team_root=str(root)
    )


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize(
    ("path", "is_allowed"),
    [
        ("src/a.ts", True),
        ("src/deep/er/a.ts", True),
        ("./src/a.ts", True),
        ("src/inner/../a.ts", True),
        ("{root}/src/a.ts", True),
        ("src\\a.ts", True),
        ("README.md", True),
        ("back/a.ts", True),
        ("src/../../etc/passwd", False),
        ("src/../secrets.txt", False),
        ("src/door/a.ts", False),
        ("/etc/passwd", False),
        ("~/.bashrc", False),
        ("docs/README.md", False),
        ("srcs/a.ts", False),
        ("SRC/a.ts", False),
    ],
)
def test_a_file_is_written_where_the_globs_say_and_nowhere_else(project, path, is_allowed):
    named = path.format(root=project)
    reason = SOURCES.objects_to(write(project, file_path=named))

    assert reason == (
        None
        if is_allowed
        else f'File write blocked: "{named}" does not match allowed paths. '
        "Allowed patterns: src/**, *.md"
    )


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Write", {"file_path": "x.py"}),
        ("Edit", {"file_path": "x.py"}),
        ("MultiEdit", {"edits": [{"file_path": "src/a"}, {"file_path": "x.py"}]}),
        ("NotebookEdit", {"notebook_path": "x.ipynb"}),
        ("write_file", {"file_path": "x.py"}),
        ("replace", {"file_path": "x.py"}),
        ("create", {"path": "x.py"}),
        ("create_file", {"filePath": "x.py"}),
        ("replace_string_in_file", {"filePath": "x.py"}),
        ("search_replace", {"file_path": "x.py"}),
        ("fs_write", {"path": "x.py"}),
        ("str_replace", {"path": "x.py"}),
        ("mcp__files__write_file", {"path": "x.py"}),
        ("files_write_file", {"path": "x.py"}),
        ("apply_patch", {"input": "*** Begin Patch\n*** Add File: x.py\n+1\n*** End Patch"}),
        ("ApplyPatch", {"patch": "--- a/src/a.py\n+++ b/x.py\n@@ -1 +1 @@\n"}),
        ("apply_patch", {"command": ["apply_patch", "*** Update File: src/a\n*** Move to: x.py"]}),
        ("Write", {"content": "no path at all"}),
    ],
)
def test_every_hosts_write_tool_is_checked(project, tool, arguments):
    assert SOURCES.objects_to(write(project, tool, **arguments)) is not None


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("Read", {"file_path": "/etc/passwd"}),
        ("Write", {"file_path": "src/a.md", "content": "+++ b/x.py"}),
        ("apply_patch", {"input": "--- /dev/null\n+++ b/src/x.py\n"}),
    ],
)
def test_what_writes_nothing_elsewhere_is_let_be(project, tool, arguments):
    assert SOURCES.objects_to(write(project, tool, **arguments)) is None


@pytest.mark.parametrize(
    ("command", "is_allowed"),
    [
        ("echo x > src/a", True),
        ("make 2>&1 | tee src/log", True),
        ("make > /dev/null 2>&1", True),
        ("grep '>' file", True),
        ("cp /etc/hosts src/", True),
        ("cd src && echo x > a", True),
        ("sed -i s/a/b/ src/a", True),
        ("ls", True),
        ("echo x > /etc/passwd", False),
        ("echo x >> x.py", False),
        ("echo x &> x.py", False),
        ("make | tee x.log", False),
        ("cp src/a lib/a", False),
        ("cp -t lib src/a src/b", False),
        ("mv src/a /tmp/a", False),
        ("cd .. && echo x > src/a", False),
        ("sed -i s/a/b/ lib/a", False),
        ("dd if=/dev/zero of=disk", False),
        ("echo x > $TARGET", False),
        ("bash -c 'echo x > x.py'", False),
    ],
)
def test_a_shell_writes_within_the_globs_too(project, command, is_allowed):
    reason = SOURCES.objects_to(write(project, "Bash", command=command))

    assert (reason is None) is is_allowed


@pytest.mark.parametrize(
    ("pattern", "path", "is_covered"),
    [
        ("**/*.md", "README.md", True),
        ("**/*.md", "a/b/c.md", True),
        ("src/", "src/a/b", True),
        ("src/*", "src/a/b", False),
        ("src/?.ts", "src/a.ts", True),
        ("src/[ab].ts", "src/a.ts", True),
        ("src/[!ab].ts", "src/a.ts", False),
        ("{src,lib}/**", "lib/a", True),
        ("a+b/(c).ts", "a+b/(c).ts", True),
        ("**", "anything/at/all", True),
        ("**", "../beside", False),
        ("/tmp/**", "/tmp/x", True),
    ],
)
def test_globs_mean_what_people_expect(project, pattern, path, is_covered):
    reason = AllowedWritePaths((pattern,)).objects_to(write(project, file_path=path))

    assert (reason is None) is is_covered


def test_a_relative_path_starts_where_the_agent_stands(project):
    inside = write(project, cwd=str(project / "src"), file_path="a.ts")
    above = write(project, cwd=str(project / "src"), file_path="../a.ts")

    assert SOURCES.objects_to(inside) is None
    assert SOURCES.objects_to(above) is not None
