"""The programs by name. Made by 'make generate': change the programs, not this.

modules | programs
"""

STAMPS = """
__init__ 97 9a394e0d
batch 6568 c3a6897b
copy 9337 3b98af59
databases 8676 30aef7ab
delete 3065 5501d4ae
disks 813 f0400c9d
editors 8892 a2ac3363
escapes 5234 e03e6961
git 14922 1beae2e3
interpreters 9144 f6b2ad0c
loaders 847 614aa0b4
network 8149 0049860d
permissions 2375 39b703ae
program 1516 4dc80b91
remote 8460 632ba283
runners 6267 e297b6c2
search 5602 db5c8777
shells 2773 3cbb2bb5
tasks 4323 1c77ea24
tools 3454 d7fbe931
uploads 7772 58f4c2c9
windows 7250 5d0a79c6
wrappers 16730 7f6f70f6
"""

PROGRAMS = """
batch | fd fdfind gxargs parallel xargs
copy | 7z 7za 7zz bsdtar cp gcp gmv gtar install ln mv unzip
copy escapes.TELLERS | zip
copy escapes.TELLERS uploads.TELLERS | rsync
copy uploads.TELLERS | tar
databases | ALTER DELETE DROP GRANT REVOKE TRUNCATE UPDATE beeline bq chc clickhouse
  clickhouse-client clickhouse-local cockroach cqlsh db2 delete dragonfly-cli drop dropdb dropuser
  duckdb edb-psql gsql hive impala-shell influx isql keydb-cli litecli mariadb mariadb-admin mongo
  mongos mongosh mycli mysql8 mysqladmin mysqlsh osql osqueryi pgcli presto presto-cli redis-cli
  snow snowsql spark-sql sqlcipher sqlcmd sqlite sqlite3 sqlplus surreal tidb trino turso usql
  valkey-cli wrangler ysqlsh yugabyte
databases escapes.TELLERS | mysql psql
delete | del-cli gio grm rimraf rm rmdir shred srm trash trash-put truncate unlink wipe
disks | dcfldd dd gdd
editors | ack ag awk base32 base64 cat column comm cut diff dos2unix egrep ex expand fgrep file
  fmt fold gawk grep gsed gvim gzcat gzip hd head hexdump iconv jq mawk md5sum more most nawk nl
  od open paste rev sed sha256sum source sponge strings tac tail tee ugrep uniq wc xxd yq zcat
  zgrep
editors escapes.TELLERS | bat batcat less rg sort
editors uploads.TELLERS | ed emacs nvim pr vi view vim
escapes.TELLERS | cargo crontab dpkg fzf go ip journalctl lldb man pandoc systemctl tcpdump visudo
escapes.TELLERS uploads.TELLERS | sftp split
git | hub
git escapes.TELLERS uploads.TELLERS | git
interpreters | R Rscript coverage deno elixir erl esno flask ghc groovy guile ipython irb jruby
  jshell julia lua lua5.1 lua5.3 lua5.4 luajit node nodejs perl php py pypy pypy3 python python2
  python2.7 python3 python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 python3.6
  python3.7 python3.8 python3.9 racket ruby runghc scala swc-node swift tclsh ts-node tsx
interpreters tasks.SCRIPTS | bun
loaders | dotenv
network | aria2c curlie nc ncat netcat wget wget2
network escapes.TELLERS | scp
network uploads.TELLERS | curl socat
permissions | chattr chflags chgrp chmod chown setfacl
remote | adb ansible autossh colima docker docker-compose dsh fly flyctl heroku incus k3s limactl
  lxc machinectl microk8s mosh multipass nerdctl nomad oc pdsh podman podman-compose pssh railway
  sshpass vagrant wsl wsl.exe
remote escapes.TELLERS uploads.TELLERS | kubectl ssh
runners | abduco bunx dtach expect faketime guix npx pipx pnpx prlimit salt snaphook-sandbox sops
  ssh-agent uv uvx
runners escapes.TELLERS tasks.SCRIPTS | npm pnpm
runners tasks.SCRIPTS | yarn
search | bfs find gfind
shells | ash bash csh dash elvish fish ksh mksh nu oksh rbash sh tcsh xonsh yash zsh
tasks | composer gmake go-task just task
tasks escapes.TELLERS | make
tools | awslocal cdk cdktf glab helm helmfile java jenkins-cli mailx networksetup nvram opentofu
  pg_dump pg_dumpall pg_restore pmset profiles systemsetup terraform terragrunt tofu
tools escapes.TELLERS uploads.TELLERS | aws gh
tools uploads.TELLERS | azcopy mail mutt
uploads.TELLERS | az cmp code gcloud gpg gsutil http https look mc nano openssl pbcopy pico rclone
  s3cmd s5cmd ssh-keygen wl-copy xclip xh xsel
windows | cmd del erase iex invoke-expression invoke-restmethod invoke-webrequest irm iwr
  osascript powershell pwsh rd remove-item ri saps start-bitstransfer start-process
wrappers | arch asdf aws-vault builtin bundle busybox bwrap caffeinate catchsegv cgexec chamber
  chronic chroot chrt command concurrently conda cpulimit cross-env cross-env-shell dbus-launch
  dbus-run-session direnv doas doppler dotenvx entr env envchain exec fakechroot fakeroot firejail
  flock genv gnice gosu gtimeout hatch hyperfine infisical ionice linux32 linux64 ltrace mamba
  micromamba mise nice nix nix-shell nocorrect nodemon nodenv noglob nohup nsenter numactl op pdm
  perf pipenv pixi pkexec poetry proot proxychains proxychains4 pv pyenv rbenv rlwrap rtx runuser
  rye sandbox-exec screen script setarch setpriv setsid stdbuf strace su su-exec sudo
  systemd-inhibit systemd-run taskset teller time timeout tmux torify torsocks toybox trickle
  unbuffer unshare valgrind watch watchexec xvfb-run
wrappers escapes.TELLERS | gdb sudoedit
"""
