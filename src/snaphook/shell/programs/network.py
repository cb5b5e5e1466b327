"""Programs that bring something from the network, or take something there.

curl -o x https://a/b   ->  downloads https://a/b, writes x
curl -T x https://a/b   ->  reads x, sends to https://a/b
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Act, Action, Arg, Call, Effect, Shell
from snaphook.shell.options import ANY, getopt
from snaphook.shell.programs.program import Program, on

_FETCHERS = """
    curl wget fetch http https httpie xh aria2c lynx w3m links elinks nc ncat netcat socat
    ftp sftp scp tftp axel lwp-request GET lwp-download curlie hurl telnet openssl gsutil
    s3cmd rclone
"""
FETCHERS = frozenset(_FETCHERS.split())
"""Programs whose output may be someone else's text."""


def curl(call: Call) -> Iterator[Action]:
    """Download what is named; upload with -T, -d @file, -F x=@file."""
    urls = [*call.operands, *call.options.all("--url")]
    for url in urls:
        yield Effect(act=Act.FETCH, call=call, span=url.span, detail=url.text)
    for target in call.options.all("-o"):
        if target.text not in ("-", "/dev/null", "/dev/stdout"):
            yield on(Act.OVERWRITE, call, target)
    address = urls[0].text if urls else ""
    if call.has("-O"):
        for url in urls:
            name = url.text.split("?")[0].rstrip("/").rpartition("/")[2]
            yield on(Act.OVERWRITE, call, replace(url, value=name or "index.html"))
    for sent in _uploaded(call):
        yield on(Act.READ, call, sent)
        yield Effect(
            act=Act.SEND,
            call=call,
            span=sent.span,
            path=on(Act.READ, call, sent).path,
            detail=address,
        )
    if config := call.get("-K"):
        yield on(Act.READ, call, config)


def _uploaded(call: Call) -> Iterator[Arg]:
    yield from call.options.all("-T")
    for data in call.options.all(
        "-d", "--data-binary", "--data-raw", "--data-urlencode", "--data-ascii", "--json"
    ):
        found = re.match(r"(?:[\w.-]+)?@(.+)", data.value, re.DOTALL)
        if found:
            yield replace(data, value=found[1])
    for form in call.options.all("-F"):
        found = re.match(r"(?:[^=]*=)?[@<]([^;,]+)", form.value)
        if found:
            yield replace(form, value=found[1])


def wget(call: Call) -> Iterator[Action]:
    """Download what is named; --post-file uploads; --use-askpass runs a program."""
    target = call.get("-O")
    for url in call.operands:
        yield Effect(act=Act.FETCH, call=call, span=url.span, detail=url.text)
        name = url.text.split("?")[0].rstrip("/").rpartition("/")[2]
        if target is None:
            place = call.get("-P")
            folder = f"{place.value.rstrip('/')}/" if place else ""
            yield on(Act.OVERWRITE, call, replace(url, value=folder + (name or "index.html")))
    if target is not None and target.text not in ("-", "/dev/stdout", "/dev/null"):
        yield on(Act.OVERWRITE, call, target)
    for sent in call.options.all("--post-file", "--body-file"):
        yield on(Act.READ, call, sent)
        address = call.operands[0].text if call.operands else ""
        yield replace(on(Act.SEND, call, sent), detail=address)
    for helper in call.options.all("--use-askpass"):
        yield Shell(text=helper.value, span=helper.span)


def netcat(call: Call) -> Iterator[Action]:
    """Talk to a port; -e and -c give it a program."""
    for option in call.options.all("-e", "-c", "--sh-exec", "--exec"):
        yield Effect(
            act=Act.CODE, call=call, span=option.span, language="socket", detail=option.text
        )
    address = " ".join(word.text for word in call.operands)
    yield Effect(act=Act.FETCH, call=call, span=call.span, detail=address)
    if call.upstream or call.stdin is not None:
        yield Effect(act=Act.SEND, call=call, span=call.span, detail=address)


def socat(call: Call) -> Iterator[Action]:
    """Join two addresses; EXEC: and SYSTEM: are programs."""
    for word in call.operands:
        kind, _, text = word.text.partition(":")
        if kind.upper() in ("EXEC", "SYSTEM", "SHELL"):
            yield Effect(act=Act.CODE, call=call, span=word.span, language="socket", detail=text)
        else:
            yield Effect(act=Act.FETCH, call=call, span=word.span, detail=word.text)


def scp(call: Call) -> Iterator[Action]:
    """Copy between machines."""
    if len(call.operands) < 2:
        return
    *sources, target = call.operands
    remote = re.compile(r"^(?:[\w.-]+@)?[\w.-]+:|^\w+://")
    for source in sources:
        if remote.match(source.text):
            yield Effect(act=Act.FETCH, call=call, span=source.span, detail=source.text)
        else:
            yield on(Act.READ, call, source, recursive=call.has("-r"))
            if remote.match(target.text):
                sent = on(Act.SEND, call, source)
                yield replace(sent, detail=target.text)
    if not remote.match(target.text):
        for source in sources:
            if remote.match(source.text):
                yield on(Act.OVERWRITE, call, replace(target, value=_landing(source, target)))
        yield on(Act.WRITE, call, target)


def _landing(source: Arg, target: Arg) -> str:
    """Return the file that a copy of *source* becomes: its own name inside a directory."""
    name = source.text.rpartition(":")[2].rpartition("/")[2]
    return (
        f"{target.value.rstrip('/')}/{name}" if target.text.endswith((".", "/")) else target.value
    )


def aria2c(call: Call) -> Iterator[Action]:
    """Download what is named."""
    for url in call.operands:
        yield Effect(act=Act.FETCH, call=call, span=url.span, detail=url.text)
        name = call.get("-o")
        folder = call.get("-d")
        value = name.value if name else url.text.split("?")[0].rpartition("/")[2]
        path = f"{folder.value.rstrip('/')}/{value}" if folder else value
        yield on(Act.OVERWRITE, call, replace(url, value=path))


_CURL = getopt(
    """
    o,output= O,remote-name L,location s,silent S,show-error f,fail v,verbose k,insecure
    I,head G,get i,include d,data= data-binary= data-raw= data-urlencode= data-ascii= json=
    F,form= form-string= T,upload-file= X,request= H,header= u,user= A,user-agent= b,cookie=
    c,cookie-jar= e,referer= x,proxy= m,max-time= connect-timeout= retry= retry-delay=
    K,config= w,write-out= r,range= C,continue-at= E,cert= key= cacert= capath=
    D,dump-header= output-dir= url= resolve= interface= limit-rate= z,time-cond= y= Y=
    q,disable N,no-buffer J,remote-header-name R compressed fail-with-body create-dirs
    unix-socket= oauth2-bearer= aws-sigv4= t= Q= P= 0 1 2 3 4 6 n j l B a # Z g M V h p
    max-redirs= proto= proto-redir= tlsv1.2 tlsv1.3 http1.1 http2 retry-max-time=
    retry-all-errors retry-connrefused next parallel stderr= trace=
    """
)
_WGET = getopt(
    """
    O,output-document= q,quiet v,verbose c,continue N r,recursive l= np,no-parent k p
    m,mirror nc nd x H P,directory-prefix= U,user-agent= header= post-data= post-file=
    body-file= body-data= method= user= password= no-check-certificate t,tries= T,timeout=
    w,wait= i,input-file= S b,background o,output-file= a= A= R= e= content-disposition
    use-askpass= no-verbose nv no-clobber show-progress progress= limit-rate= load-cookies=
    save-cookies= referer= certificate= ca-certificate= https-only
    """
)
_NC = getopt(
    "e,exec= c,sh-exec= l,listen p= v n z w= u k u s= i= q= 4 6 C N U X= x="
    " lua-exec= ssl m= broker chat",
    abbreviates=False,
)

PROGRAMS: Mapping[str, Program] = {
    "curl": Program(options=_CURL, does=curl),
    "curlie": Program(options=_CURL, does=curl),
    "wget": Program(options=_WGET, does=wget),
    "aria2c": Program(options=getopt("o,out= d,dir= x= s= j= i= c q"), does=aria2c),
    "wget2": Program(options=_WGET, does=wget),
    **dict.fromkeys(("nc", "ncat", "netcat"), Program(options=_NC, does=netcat)),
    "socat": Program(options=ANY, does=socat),
    "scp": Program(options=getopt("r p q C v B 3 4 6 P= i= o= F= J= l= S= c= O T"), does=scp),
}
