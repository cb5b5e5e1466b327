"""Options of tools that only rules look at: which take a value, which are spelled oddly."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from msgspec.structs import replace

from snaphook.shell.facts import Action, Call, Code, Runs
from snaphook.shell.options import getopt
from snaphook.shell.programs.program import Program

_TERRAFORM = Program(options=getopt("chdir= var= var-file= target= out= state=", single_dash=True))
_FORGE = Program(
    options=getopt(
        "R,repo= X,method= f,raw-field= F,field= H,header= q,jq= t,title= b,body= B,base="
        " a,assignee= l,label= m,milestone= r,reviewer= n,notes= hostname= input= template="
        " body-file= json= limit= L= s= head= tag= notes-file= target= visibility= c= reason="
        " message= description= name= branch= subject="
    )
)
_HELM = Program(
    options=getopt(
        "n,namespace= kube-context= kubeconfig= f,values= set= set-string= version= o,output="
        " timeout= i,install force dry-run?= repo= description= history-max= set-file="
    )
)

_AWS = getopt(
    "profile= region= output= query= endpoint-url= ca-bundle= cli-read-timeout= color="
    " cli-connect-timeout= no-verify-ssl no-paginate debug no-sign-request query-string="
)
_PG_DUMP = Program(
    options=getopt(
        "F,format= f,file= d,dbname= h,host= p,port= U,username= j,jobs= n,schema= N= t,table= T="
        " Z,compress= E,encoding= S,superuser= L= l,list I= P= a,data-only c,clean C,create"
    )
)


def aws(call: Call) -> Iterator[Action]:
    """Run SQL in Athena."""
    if call.runs("aws", "athena", "start-query-execution") and (text := call.get("--query-string")):
        yield Code(language="sql", text=text.value, span=text.span)


def java(call: Call) -> Iterator[Action]:
    """Run a command line that is packed as a jar: Jenkins's."""
    for at, arg in enumerate(call.args):
        if arg.text.rpartition("/")[2] == "jenkins-cli.jar":
            yield Runs(args=(replace(arg, value="jenkins-cli"), *call.args[at + 1 :]))


PROGRAMS: Mapping[str, Program] = {
    **dict.fromkeys(("terraform", "tofu", "opentofu", "terragrunt"), _TERRAFORM),
    **dict.fromkeys(("gh", "glab"), _FORGE),
    **dict.fromkeys(("helm", "helmfile"), _HELM),
    "cdk": Program(options=getopt("a,app= c,context= require-approval= profile= f,force all o=")),
    **dict.fromkeys(
        ("pg_dump", "pg_dumpall", "pg_restore"),
        Program(
            options=getopt(
                "F,format= f,file= d,dbname= h,host= p,port= U,username= t,table= n,schema= j,jobs="
                " c,clean l,list a,data-only s,schema-only O,no-owner x C,create v w W Z= E= T= N="
            )
        ),
    ),
    "java": Program(options=getopt("jar= cp= classpath=", single_dash=True), does=java),
    "jenkins-cli": Program(options=getopt("s= auth=", single_dash=True)),
    **dict.fromkeys(
        ("networksetup", "systemsetup", "nvram", "pmset", "profiles"),
        Program(options=getopt("", single_dash=True)),
    ),
    "mutt": Program(options=getopt("a= s= c= b= e= F= i=")),
    **dict.fromkeys(("mail", "mailx"), Program(options=getopt("a= A= s= c= b= r="))),
    "cdktf": Program(options=getopt("auto-approve")),
    **dict.fromkeys(("pg_dump", "pg_dumpall", "pg_restore"), _PG_DUMP),
    "azcopy": Program(options=getopt("delete-destination= recursive?=")),
    **dict.fromkeys(("aws", "awslocal"), Program(options=_AWS, does=aws)),
}
