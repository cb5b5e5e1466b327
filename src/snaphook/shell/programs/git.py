"""git: its options, and the commands that hide in its settings and options.

git -c alias.x='!sh …' x  ->  Shell('sh …')

What git does to history and work is judged by `rules/git_*`; here is what it runs and reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from shlex import quote

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, GitAlias, Runs, Shell, Span
from snaphook.shell.options import LazyGrammars, getopt
from snaphook.shell.paths import resolve
from snaphook.shell.programs.program import Program
from snaphook.shell.repository import Repository

_COMMIT = (
    "a,all p,patch C,reuse-message= c,reedit-message= fixup= squash= reset-author short branch"
    " porcelain long z,null F,file= author= date= m,message= t,template= s,signoff trailer="
    " n,no-verify verify allow-empty allow-empty-message cleanup= e,edit no-edit amend"
    " no-post-rewrite i,include o,only pathspec-from-file= pathspec-file-nul u,untracked-files?="
    " v,verbose q,quiet dry-run status no-status S,gpg-sign?= no-gpg-sign"
)
_CHECKOUT = (
    "q,quiet no-quiet progress f,force no-force ours 2 theirs 3 b= B= l detach d track?= t"
    " no-track guess no-guess orphan= m,merge no-merge conflict= p,patch no-patch"
    " ignore-skip-worktree-bits ignore-other-worktrees recurse-submodules?="
    " no-recurse-submodules overlay no-overlay pathspec-from-file= pathspec-file-nul"
    " U,unified= inter-hunk-context= no-detach"
)
_RESTORE = (
    "s,source= no-source p,patch no-patch W,worktree no-worktree S,staged no-staged q,quiet"
    " progress ours 2 theirs 3 m,merge conflict= ignore-unmerged ignore-skip-worktree-bits"
    " recurse-submodules overlay no-overlay pathspec-from-file= pathspec-file-nul"
    " U,unified= inter-hunk-context= version h"
)

_OUTER = getopt(
    "C= c= exec-path?= html-path man-path info-path p,paginate P,no-pager no-replace-objects"
    " no-lazy-fetch no-optional-locks no-advice bare git-dir= work-tree= namespace= super-prefix="
    " config-env= literal-pathspecs glob-pathspecs noglob-pathspecs icase-pathspecs list-cmds="
    " attr-source= version v help h"
)
_SUBCOMMANDS = {
    "push": (
        "all branches mirror tags follow-tags no-follow-tags atomic no-atomic n,dry-run"
        " no-dry-run receive-pack= exec= repo= f,force no-force d,delete prune v,verbose"
        " u,set-upstream o,push-option= signed?= no-signed force-with-lease?="
        " no-force-with-lease force-if-includes no-force-if-includes no-verify verify"
        " q,quiet progress thin no-thin recurse-submodules= 4,ipv4 6,ipv6 porcelain"
    ),
    "reset": (
        "mixed soft hard merge keep N,intent-to-add recurse-submodules?="
        " no-recurse-submodules q,quiet refresh p,patch pathspec-from-file="
        " pathspec-file-nul"
    ),
    "clean": ("d f,force no-force i,interactive n,dry-run no-dry-run q,quiet e,exclude= x X"),
    "checkout": _CHECKOUT,
    "switch": (
        "c,create= C,force-create= d,detach guess no-guess f,force discard-changes m,merge"
        " no-merge conflict= q,quiet progress t,track?= no-track orphan="
        " ignore-other-worktrees recurse-submodules?="
    ),
    "restore": _RESTORE,
    "branch": (
        "d,delete D m,move M c,copy C f,force no-force i,ignore-case r,remotes a,all l,list"
        " show-current v,verbose q,quiet abbrev?= t,track?= no-track recurse-submodules"
        " set-upstream-to= u= unset-upstream edit-description contains?= no-contains?="
        " merged?= no-merged?= sort= points-at= format= color?= column?="
    ),
    "tag": (
        "a,annotate s,sign no-sign u,local-user= f,force d,delete v,verify n?= l,list sort="
        " color?= ignore-case column?= contains?= no-contains?= merged?= no-merged?="
        " points-at= m,message= F,file= e,edit cleanup= create-reflog format= omit-empty"
    ),
    "stash": "m,message= p,patch k,keep-index u,include-untracked a,all q,quiet",
    "commit": _COMMIT,
    "merge": (
        "n stat log?= signoff m,message= F,file= s,strategy= X,strategy-option= no-verify"
        " verify abort continue quit S,gpg-sign?= squash no-ff ff ff-only into-name= e,edit"
    ),
    "rebase": (
        "onto= keep-base continue skip abort quit edit-todo show-current-patch apply"
        " m,merge i,interactive root x,exec= r,rebase-merges?= X,strategy-option="
        " s,strategy= f,force-rebase no-verify verify autosquash autostash no-autostash"
        " q,quiet v,verbose n,no-stat stat update-refs S,gpg-sign?= whitespace= C="
    ),
    "reflog": (
        "expire= expire-unreachable= all single-worktree updateref rewrite stale-fix"
        " n,dry-run verbose"
    ),
    "gc": "aggressive auto detach cruft prune?= no-prune q,quiet force",
    "prune": "n,dry-run no-dry-run v,verbose progress expire=",
    "worktree": (
        "f,force b= B= d,detach checkout lock reason= orphan n,dry-run v,verbose expire="
        " porcelain z q,quiet track guess-remote"
    ),
    "submodule": (
        "q,quiet f,force all recursive init remote merge rebase b,branch= name="
        " reference= depth= j,jobs= cached files"
    ),
    "rm": (
        "f,force no-force n,dry-run no-dry-run r cached no-cached ignore-unmatch sparse"
        " q,quiet pathspec-from-file= pathspec-file-nul"
    ),
    "update-ref": "d m= no-deref stdin z create-reflog",
    "config": (
        "global system local worktree f,file= blob= l,list get get-all get-regexp get-urlmatch"
        " replace-all add unset unset-all rename-section remove-section e,edit type= bool int"
        " path z,null name-only show-origin show-scope default= all value= fixed-value append"
        " comment= url= regexp"
    ),
    "filter-branch": (
        "setup= subdirectory-filter= env-filter= tree-filter= index-filter= parent-filter="
        " msg-filter= commit-filter= tag-name-filter= prune-empty original= d= f,force"
        " state-branch="
    ),
    "filter-repo": (
        "f,force n,dry-run analyze path= path-glob= path-regex= invert-paths paths-from-file="
        " replace-text= replace-message= mailmap= refs= subdirectory-filter="
        " to-subdirectory-filter= strip-blobs-bigger-than= message-callback= commit-callback="
        " blob-callback= source= target= partial debug quiet"
    ),
    "show": "format= pretty?= stat oneline q,quiet",
    "log": "n= S= G= L= grep= author= committer= since= until= after= before= format=",
    "diff": "U= S= G= O= output= diff-filter= word-diff-regex= src-prefix= dst-prefix=",
    "clone": (
        "u,upload-pack= c,config= b,branch= depth= o,origin= j,jobs= reference= template="
        " separate-git-dir= filter= recurse-submodules?= recursive shallow-since= l,local"
        " mirror bare n,no-checkout s,shared single-branch"
    ),
    "fetch": "upload-pack= depth= f,force p,prune P,prune-tags t,tags all j,jobs=",
    "add": (
        "n,dry-run v,verbose f,force i,interactive p,patch e,edit A,all no-all u,update"
        " N,intent-to-add refresh ignore-errors renormalize chmod= pathspec-from-file= sparse"
    ),
    "difftool": "x,extcmd= t,tool= y,no-prompt d,dir-diff g,gui",
    "grep": "O,open-files-in-pager?= e= f= n i c l w A= B= C= m= E P F",
    "archive": "format= o,output= prefix= remote= exec= l,list v add-file=",
    "ls-remote": "upload-pack= exec= h,heads t,tags q,quiet sort= refs symref",
    "symbolic-ref": "d,delete q,quiet short m= recurse",
    "remote": "v,verbose t= m= f tags no-tags mirror?= n,dry-run add delete push all",
}
GRAMMAR = replace(_OUTER, subcommands=LazyGrammars(_SUBCOMMANDS))

_RUN_BY_SETTING = frozenset({
    "core.pager", "core.editor", "core.sshcommand", "core.fsmonitor", "core.askpass",
    "core.gitproxy", "core.alternaterefscommand", "sequence.editor", "diff.external",
    "gpg.program", "credential.helper", "uploadpack.packobjectshook", "interactive.difffilter",
    "web.browser", "sendemail.smtpserver",
})  # fmt: skip
_RUN_BY_SUFFIX = (
    ".command",
    ".textconv",
    ".clean",
    ".smudge",
    ".process",
    ".cmd",
    ".program",
    ".driver",
)
RUN_BY_ENV = (
    "GIT_SSH_COMMAND", "GIT_SSH", "GIT_PAGER", "GIT_EDITOR", "GIT_SEQUENCE_EDITOR", "GIT_ASKPASS",
    "GIT_EXTERNAL_DIFF", "GIT_PROXY_COMMAND", "GIT_TEMPLATE_DIR",
)  # fmt: skip
_RUN_BY_OPTION = {
    "rebase": "--exec", "difftool": "--extcmd", "fetch": "--upload-pack", "clone": "--upload-pack",
    "ls-remote": "--upload-pack", "push": "--receive-pack", "grep": "--open-files-in-pager",
    "archive": "--exec",
}  # fmt: skip
_FILTERS = ("--setup", "--env-filter", "--tree-filter", "--index-filter", "--parent-filter",
            "--msg-filter", "--commit-filter", "--tag-name-filter")  # fmt: skip
_SHOWS = frozenset({"show", "cat-file", "archive"})


def git(call: Call) -> Iterator[Action]:
    """Tell what git runs besides itself, and which files it shows out of history."""
    cwd = directory(call)
    for key, value, span in settings(call):
        if key.startswith("alias."):
            if call.subcommand and key[len("alias.") :] == call.subcommand:
                yield from _alias(call, value, span)
        elif runs(key) and value.strip("!") and not value.strip("!").isalnum():
            yield Shell(text=value.removeprefix("!"), span=span, via=f"git {key}", cwd=cwd)
    for name in RUN_BY_ENV:
        if call.env.get(name):
            yield Shell(text=call.env[name], span=call.span, via=name, cwd=cwd)
    yield from _commands(call, cwd)
    if call.subcommand in _SHOWS:
        yield from _shown(call, cwd)
    elif call.subcommand and call.subcommand not in GRAMMAR.subcommands:
        yield GitAlias(name=call.subcommand, rest=_rest(call), cwd=cwd, span=call.span)


def directory(call: Call) -> str:
    """Return the work tree that git works in: `-C`, `--work-tree` and `GIT_WORK_TREE` count."""
    found = repository(call)
    return found.work_tree or found.cwd


def repository(call: Call) -> Repository:
    """Return the repository that a call of git is about, by its options and variables.

    Relative paths count from where `-C` leads; an option beats a variable, as git(1) has it.
    """
    cwd = call.cwd
    for one in call.options.all("-C"):
        cwd = resolve(one.value, cwd)
    git_dir = _led(call, cwd, "--git-dir", "GIT_DIR")
    work_tree = _led(call, cwd, "--work-tree", "GIT_WORK_TREE")
    return Repository(cwd=cwd, git_dir=git_dir, work_tree=work_tree)


def _led(call: Call, cwd: str, option: str, variable: str) -> str:
    """Return the path that *option*, or else *variable*, names; nothing where neither does."""
    given = call.get(option)
    named = given.value if given else call.env.get(variable, "")
    return resolve(named, cwd) if named else ""


def settings(call: Call) -> Iterator[tuple[str, str, Span]]:
    """Return the settings given for this call alone: `-c`, `--config-env`, `GIT_CONFIG_*`."""
    for arg in call.options.all("-c", "--config"):
        key, _, value = arg.text.partition("=")
        yield key.lower(), value or "true", arg.span
    for arg in call.options.all("--config-env"):
        key, _, name = arg.text.partition("=")
        yield key.lower(), call.env.get(name, ""), arg.span
    for name, key in call.env.items():
        if name.startswith("GIT_CONFIG_KEY_"):
            value = call.env.get(f"GIT_CONFIG_VALUE_{name.rpartition('_')[2]}", "")
            yield key.lower(), value, call.span
    for pair in call.env.get("GIT_CONFIG_PARAMETERS", "").split("' '"):
        key, _, value = pair.strip("'").partition("=")
        if key:
            yield key.strip("'").lower(), value.strip("'"), call.span


def turned_on(call: Call, name: str) -> bool:
    """Say whether the switch *name* is on in the end: `--force --no-force` is off."""
    off = f"--no-{name.lstrip('-')}"
    names = call.options.grammar.names
    wanted = names.get(name, name)
    last = [option for option, _ in call.options.given if option in (wanted, off)]
    return bool(last) and last[-1] == wanted


def runs(key: str) -> bool:
    """Say whether the value of the setting *key* is a command that git runs."""
    return key in _RUN_BY_SETTING or (key.endswith(_RUN_BY_SUFFIX) and key.count(".") > 1)


def _alias(call: Call, value: str, span: Span) -> Iterator[Action]:
    text = f"{value[1:]} {_rest(call)}" if value[:1] == "!" else f"git {value} {_rest(call)}"
    yield Shell(text=text, span=span, via="git alias", cwd=directory(call))


def _rest(call: Call) -> str:
    """Return the words after the subcommand as shell text."""
    return " ".join(quote(arg.text) for arg in _after(call, call.operands[0]))


def _commands(call: Call, cwd: str) -> Iterator[Action]:
    """Return the commands that a subcommand is told to run."""
    sub, operands = call.subcommand, call.operands
    if option := _RUN_BY_OPTION.get(sub):
        for arg in call.options.all(option, "--exec"):
            yield Shell(text=arg.text, span=arg.span, via=f"git {sub}", cwd=cwd)
    elif sub == "filter-branch":
        for arg in call.options.all(*_FILTERS):
            yield Shell(text=arg.text, span=arg.span, via="git filter-branch", cwd=cwd)
    if sub == "grep":
        for arg in call.args:
            if arg.value.startswith("-O") and len(arg.value) > len("-O"):
                yield Shell(text=arg.text[len("-O") :], span=arg.span, via="git grep", cwd=cwd)
    if call.options.starts(("bisect", "run")):
        yield Runs(args=_after(call, operands[1]), via="git bisect", cwd=cwd)
    elif call.options.starts(("submodule", "foreach")):
        rest = [arg for arg in _after(call, operands[1]) if arg.text != "--recursive"]
        text = " ".join(arg.text for arg in rest)
        yield Shell(text=text, span=call.span, via="git submodule", cwd=cwd)
    for arg in operands[1:]:
        if arg.value.startswith("ext::"):
            text = arg.text[len("ext::") :].replace("% ", "\\ ")  # a space that stays in its word
            yield Shell(text=text, span=arg.span, via="git", cwd=cwd)


def _after(call: Call, word: Arg) -> tuple[Arg, ...]:
    """Return the words after *word*, options and all."""
    at = next((at for at, arg in enumerate(call.args) if arg is word), len(call.args))
    return call.args[at + 1 :]


def _shown(call: Call, cwd: str) -> Iterator[Effect]:
    """Return what `git show REV:path` and its like read."""
    for arg in call.operands[1:]:
        _, colon, path = arg.value.partition(":")
        if colon and path:
            yield Effect(act=Act.READ, call=call, span=arg.span, path=resolve(path, cwd))


def hub(call: Call) -> Iterator[Action]:
    """Run git, which hub stands in for."""
    if call.subcommand in GRAMMAR.subcommands:
        yield Runs(args=(replace(call.name, value="git"), *call.args))


PROGRAMS: Mapping[str, Program] = {
    "git": Program(options=GRAMMAR, does=git),
    "hub": Program(does=hub),
}
