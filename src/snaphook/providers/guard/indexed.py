"""The guard's rules and programs by name. Made by 'make generate': change those, not this.

RULES     id module answer optional|always pack | acts | programs
PROGRAMS  modules | programs
"""

RULES = """
delete.everything delete deny always - | DELETE MOVE |
delete.system delete deny always - | DELETE MOVE |
delete.added delete ask always - | DELETE |
delete.project delete deny always - | DELETE |
delete.chained delete deny always - | DELETE |
delete.outside delete ask always - | DELETE |
delete.sources delete ask always - | DELETE |
delete.unknown delete ask always - | DELETE |
disk.write overwrite deny always - | OVERWRITE APPEND WRITE LINK MOVE |
overwrite.system overwrite ask always - | OVERWRITE APPEND WRITE LINK |
overwrite.precious overwrite ask always - | OVERWRITE LINK |
overwrite.sources overwrite ask always - | OVERWRITE DELETE LINK |
move.precious overwrite ask always - | MOVE |
permissions.tree permissions deny always - | PERMIT OWN |
permissions.open permissions ask always - | PERMIT |
permissions.setuid permissions ask always - | PERMIT |
permissions.locked permissions ask always - | PERMIT |
permissions.precious permissions ask always - | PERMIT OWN |
disk.format disks deny always - |  | mkfs mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.xfs mkfs.btrfs
  mkfs.vfat mkfs.fat mkfs.ntfs mkfs.exfat mkfs.f2fs mkfs.jfs mkfs.minix mkfs.msdos mkfs.reiserfs
  mke2fs mkdosfs mkntfs mkswap newfs newfs_apfs newfs_hfs newfs_msdos wipefs blkdiscard sgdisk
  sfdisk cfdisk fdisk gdisk parted partprobe cryptsetup lvremove vgremove pvremove lvreduce
  vgreduce pvmove lvm mdadm zpool zfs btrfs hdparm nvme badblocks diskutil asr hdiutil swapoff
  umount losetup e2fsck debugfs tune2fs resize2fs format diskpart dmsetup tgtadm lsblk cipher
  sg_format ddrescue efibootmgr grub-install fsck reiserfsck xfs_repair
remote.code remote_code deny always - | OPAQUE CODE |
remote.socket remote_code deny always - | CODE OVERWRITE APPEND READ WRITE |
remote.decoded remote_code ask always - |  | sh bash zsh dash ash ksh mksh fish rbash yash oksh
  csh tcsh elvish nu xonsh python python2 python3 node nodejs perl ruby php deno bun lua eval
  source .
remote.preload remote_code ask always - |  | *
address.metadata addresses deny always - | FETCH SEND |
address.deceptive addresses ask always - | FETCH SEND |
packages.address package_sources ask always - |  | pip pip3 pipx uv npm pnpm yarn npx bunx gem
  easy_install
overwrite.remote-system remote_copy ask always - |  | scp rsync sftp
request.delete requests ask always - |  | curl curlie wget wget2 http https xh xhs httpie
system.fork-bomb system deny always - | FORK |
system.halt system ask always - |  | shutdown reboot halt poweroff telinit init systemctl kexec
  sysrq
system.services system ask always - |  | systemctl service launchctl chkconfig update-rc.d
  rc-service insmod modprobe rmmod sysctl ufw iptables ip6tables nft firewall-cmd pfctl setenforce
  aa-teardown aa-disable auditctl csrutil networksetup nvram mise chezmoi defaults spctl swapoff
  ip ifconfig timedatectl hostnamectl killall5 npm pnpm yarn pip pip3 mount crontab ssh-copy-id
  update-grub umount atrm at batch visudo
system.users system ask always - |  | userdel deluser groupdel delgroup useradd adduser usermod
  groupadd gpasswd addgroup groupmod passwd chpasswd chage chsh vipw vigr dscl sysadminctl pwck
  pam-auth-update security net
system.packages system ask always - |  | apt apt-get aptitude yum dnf zypper pacman dpkg rpm snap
  apk emerge brew port flatpak nix-collect-garbage nix-env winget choco scoop
system.history system ask always - |  | history journalctl wevtutil logrotate dmesg fc unset
  export declare set
system.kill system ask always - |  | kill pkill killall5 killall
system.startup system ask always - | OVERWRITE APPEND WRITE LINK DELETE MOVE |
self.settings self_protection deny always - | OVERWRITE APPEND WRITE LINK DELETE MOVE PERMIT OWN |
self.off self_protection deny always - |  | snaphook claude codex gemini cursor-agent copilot qwen
  opencode aider goose amp droid auggie q kiro-cli wave crush cline grok pkill killall pgrep pidof
  export cargo npm pip pip3 uv pipx brew conda nah rampart tirith dcg cc-safety-net cupcake
privilege.shell privilege ask always - |  | sudo doas su setcap sh bash zsh dash ash ksh mksh fish
  rbash yash oksh csh tcsh elvish nu xonsh
windows.wipe windows deny always - |  | format-volume clear-disk initialize-disk remove-partition
  reset-physicaldisk remove-volume vssadmin wbadmin wmic reg cipher clear-recyclebin
  remove-itemproperty clear-content clear-item clear-eventlog wevtutil remove-localuser
  remove-adobject remove-aduser ntdsutil
windows.settings windows ask always - |  | bcdedit bootrec reagentc reg set-executionpolicy
  set-mppreference add-mppreference uninstall-* stop-computer restart-computer schtasks
  register-scheduledtask new-service set-service stop-service remove-service sc netsh net takeown
  icacls attrib set-itemproperty new-itemproperty set-acl set-netfirewallprofile disable-*
  regsvr32 mshta rundll32 certutil bitsadmin cmdkey wscript cscript add-type start-process saps
  enable-psremoting new-psdrive setx
opaque opaque ask always - | OPAQUE |
git.push-protected git_push deny always - |  | git
git.push-force git_push ask always - |  | git
git.push-stray git_push ask always - |  | git
git.reset-unsaved git_discard deny always - |  | git
git.discard git_discard ask always - |  | git
git.history git_history ask always - |  | git bfg
git.checks git_checks ask always - |  | git pre-commit
git.hooks git_checks ask always - | PERMIT |
git.message git_message deny always - |  | git
git.push-lease git_lease ask optional - |  | git
git.add-all git_add_all ask optional - |  | git
forge.delete forges ask always - |  | gh glab hub
containers.remove containers ask always - |  | docker podman nerdctl docker-compose podman-compose
  buildah crictl ctr lxc incus lima limactl colima orb multipass vagrant minikube kind k3d k0s
  kubeadm VBoxManage virsh
containers.host containers ask always - |  | docker podman nerdctl
cluster.delete clusters ask always - |  | kubectl oc k helm helmfile kustomize istioctl linkerd
  cilium rancher kops kubeadm talosctl
infrastructure.destroy clusters ask always - |  | terraform tofu opentofu terragrunt pulumi cdk
  cdklocal cdktf ansible-galaxy ansible-vault packer crossplane ansible
cloud.destroy clouds ask always - |  | aws awslocal gcloud az gsutil bq azcopy s3cmd s5cmd mc oci
  ibmcloud aliyun tccli linode-cli doctl hcloud scw vultr-cli exo civo openstack nova cinder
  gcutil eksctl ecs-cli eb copilot b2 upctl
cloud.change clouds ask always - |  | aws awslocal gcloud az gsutil bq azcopy s3cmd s5cmd mc oci
  ibmcloud aliyun tccli linode-cli doctl hcloud scw vultr-cli exo civo openstack nova cinder
  gcutil eksctl ecs-cli eb copilot b2 upctl
service.delete services ask always - |  | heroku flyctl fly vercel now netlify railway render
  surge wrangler cloudflared flarectl fastly akamai firebase supabase amplify sst serverless sls
  sam convex turso neonctl neon pscale planetscale cloudflare deployctl dokku cf ngrok koyeb
  northflank zeit appwrite hasura nhost cockroach ccloud atlas mongocli influx confluent aiven avn
  eas expo shopify contentful sanity auth0 okta clerk stytch vault bao op doppler infisical
  chamber akeyless teller pass bw lpass conjur boundary teleport tctl tsh keyctl launchdarkly
  ldcli unleash flipt growthbook newrelic datadog-ci dog sentry-cli pd grafana-cli grafanactl
  promtool amtool logcli honeycomb splunk elastic ecctl curator opsgenie statuspage rollbar nats
  rabbitmqctl rabbitmqadmin rpk kcat pulsar-admin mosquitto_ctrl algolia meilisearch typesense
  apigeecli deck kong tyk kongctl cloudflare-cli dnscontrol octodns-sync consul etcdctl zkCli.sh
  nomad stripe square paypal braintree twilio sendgrid mailgun postmark plaid circleci travis bk
  buildkite-agent drone jenkins-cli gitlab-runner tea argocd flux tkn fluxctl spin waypoint
  harness semaphore bitrise jira linear acli hub velero kafka-topics kafka-topics.sh
  kafka-consumer-groups kafka-consumer-groups.sh kafka-configs kafka-configs.sh kafka-acls
  kafka-acls.sh kafka-delete-records kafka-delete-records.sh gitlab-rails
packages.publish packages ask always - |  | npm pnpm yarn bun cnpm lerna changeset nx
  semantic-release release-it np twine poetry flit hatch uv pdm maturin rye python python3 cargo
  gem bundle mvn mvnw gradle gradlew sbt lein dotnet nuget mix composer pub dart flutter pod vsce
  ovsx docker podman nerdctl buildah skopeo crane oras regctl docker-compose podman-compose helm
  conda anaconda snapcraft cabal luarocks opam goreleaser jfrog jf fastlane eas
backups.delete backups ask always - |  | restic borg borgmatic rclone duplicity duplicacy kopia
  tarsnap rdiff-backup bup snapper timeshift git-annex dvc velero barman pgbackrest wal-g
  mysqlbackup xtrabackup mongorestore pg_restore pg_dump pg_dumpall
database.drop-protected database deny always - | DROP EMPTY |
database.empty database deny always - | EMPTY |
database.drop database ask always - | DROP |
database.rewrite database ask always - | REWRITE |
database.rights database ask always - | GRANT |
database.start-over migrations ask always - |  | rails rake gitlab-rake python python2 python3 uv
  manage.py django-admin prisma alembic flask aerich flyway liquibase artisan php mix knex
  sequelize sequelize-cli typeorm typeorm-ts-node-commonjs drizzle-kit mikro-orm dbmate goose
  migrate sqlx diesel sea-orm-cli dotnet wp drush hasura dbt atlas
machine.settings machine ask always - |  | rc-update initctl sv supervisorctl pm2 launchctl nginx
  apachectl apache2ctl haproxy fdesetup spctl nvram tmutil diskutil systemsetup scutil
  networksetup dscl pmset profiles defaults security ip route arp loginctl grub-install efibootmgr
  bootctl ssh-add ssh-keygen gpg gpg2 vssadmin bcdedit reg schtasks nsupdate
secrets.send secrets deny always - | SEND FETCH |
secrets.read secrets ask always - | READ |
records.delete records deny always - | DELETE MOVE OVERWRITE |
paths.protected records deny always - | DELETE MOVE OVERWRITE WRITE APPEND LINK PERMIT OWN |
records.blackbox records ask always - | DELETE MOVE |
files.bulk records ask always - | DELETE MOVE WRITE |
contents.yaml contents deny always - | WRITE OVERWRITE |
contents.task contents deny optional bb5 | WRITE OVERWRITE |
agents.git agents deny optional bb5 |  | git
agents.scope agents deny optional bb5 | WRITE OVERWRITE APPEND DELETE MOVE LINK |
secrets.store secret_stores ask always - |  | aws az vault op pass secret-tool heroku doppler
  infisical chamber git npm docker sops ansible-vault age rage gpg gpg2 bw lpass keyring
  kwallet-query
secrets.print secret_stores ask always - |  | echo printf printenv grep rg egrep ag curl wget
leaks.names leaks ask always - |  | dig nslookup host drill ping kdig resolvectl
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
interpreters | R Rscript deno elixir erl esno ghc groovy guile ipython irb jruby jshell julia lua
  lua5.1 lua5.3 lua5.4 luajit node nodejs perl php py pypy pypy3 python python2 python2.7 python3
  python3.10 python3.11 python3.12 python3.13 python3.14 python3.15 python3.6 python3.7 python3.8
  python3.9 racket ruby runghc scala swc-node swift tclsh ts-node tsx
interpreters tasks.SCRIPTS | bun
network | aria2c curlie nc ncat netcat wget wget2
network escapes.TELLERS | scp
network uploads.TELLERS | curl socat
permissions | chattr chflags chgrp chmod chown setfacl
remote | adb ansible autossh colima docker docker-compose dsh fly flyctl heroku incus k3s limactl
  lxc machinectl microk8s mosh multipass nerdctl nomad oc pdsh podman podman-compose pssh railway
  sshpass vagrant wsl wsl.exe
remote escapes.TELLERS uploads.TELLERS | kubectl ssh
runners | abduco bunx dtach expect faketime guix npx pipx pnpx prlimit salt sops ssh-agent uv uvx
runners tasks.SCRIPTS | yarn
runners tasks.SCRIPTS escapes.TELLERS | npm pnpm
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
  dbus-run-session direnv doas doppler dotenv dotenvx entr env envchain exec fakechroot fakeroot
  firejail flock genv gnice gosu gtimeout hatch hyperfine infisical ionice linux32 linux64 ltrace
  mamba micromamba mise nice nix nix-shell nocorrect nodemon nodenv noglob nohup nsenter numactl
  op pdm perf pipenv pixi pkexec poetry proot proxychains proxychains4 pv pyenv rbenv rlwrap rtx
  runuser rye sandbox-exec screen script setarch setpriv setsid stdbuf strace su su-exec sudo
  systemd-inhibit systemd-run taskset teller time timeout tmux torify torsocks toybox trickle
  unbuffer unshare valgrind watch watchexec xvfb-run
wrappers escapes.TELLERS | gdb sudoedit
"""
