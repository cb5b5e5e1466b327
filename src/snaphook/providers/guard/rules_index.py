"""The guard's rules by what they watch. Made by 'make generate': change the rules, not this.

id module answer optional|always pack | acts | programs
"""

STAMPS = """
__init__ 73 671e26f9
addresses 3093 9ae1e1ba
agents 3647 49864a44
allowed_hosts 981 289b3d63
backups 2596 ee18cca7
choices 3006 8123c3fc
clouds 7201 88f61f2b
clusters 5228 d16d5623
containers 7505 2043b129
contents 3509 6797803f
contexts 3335 f39c6e45
database 5605 ac9e7d42
delete 12603 b3c63d47
disks 3230 eff16824
forges 2965 e9507543
git_add_all 1015 1b2f4a1e
git_checks 7300 1c31865d
git_discard 12429 29ec0426
git_history 4367 7262c862
git_lease 1011 be1e0c99
git_message 1819 8985d914
git_push 5924 362c9704
harm 6679 d6f3684d
key_owners 2317 4bc33cdd
leaks 1099 12f606b5
machine 2487 678c20ed
migrations 4071 18c85e2a
opaque 1145 e1e108f5
overwrite 9666 7d79e54e
pack 2362 9ac0e71e
pack_ci 4649 47f98ba0
pack_cloud 5106 8e845791
pack_databases 5279 172f796e
pack_docker 2966 14a7e786
pack_exfiltration 5686 5e27884f
pack_kubernetes 2891 67ddf14e
pack_publishing 2789 e893842e
pack_services 4556 a83dfa26
pack_terraform 3234 54e1dd5f
pack_windows 4151 4ce8feae
package_names 7325 2a5e9307
package_sources 2612 1500932d
packages 2706 cab2451a
pages 1670 4ccc0a10
permissions 4551 8975c846
privilege 1540 0d20a6a1
records 6753 de9a4c72
remote_code 7758 8c87d4ee
remote_copy 1373 b93868d7
requests 3819 f93e6080
rule 2316 4035fcb8
secret_stores 7108 6a6ae126
secrets 14230 543df728
self_child 6495 266424e4
self_named 6437 7cf16cab
self_protection 5979 d7925a73
self_typing 1768 2591f060
services 6427 36a97854
system 12145 64404720
table 2318 f8a29a9e
verbs 4403 445d3f94
whole_uploads 2332 f6424943
windows 3070 665f4d98
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
overwrite.kept overwrite ask always - | OVERWRITE WRITE LINK |
move.precious overwrite ask always - | MOVE |
permissions.tree permissions deny always - | PERMIT OWN |
permissions.open permissions ask always - | PERMIT |
permissions.setuid permissions ask always - | PERMIT |
permissions.locked permissions ask always - | PERMIT |
permissions.precious permissions ask always - | PERMIT OWN |
disk.format disks deny always - |  | asr badblocks blkdiscard btrfs cfdisk cipher cryptsetup
  ddrescue debugfs diskpart diskutil dmsetup e2fsck efibootmgr fdisk format fsck gdisk
  grub-install hdiutil hdparm losetup lsblk lvm lvreduce lvremove mdadm mkdosfs mke2fs mkfs
  mkfs.btrfs mkfs.exfat mkfs.ext2 mkfs.ext3 mkfs.ext4 mkfs.f2fs mkfs.fat mkfs.jfs mkfs.minix
  mkfs.msdos mkfs.ntfs mkfs.reiserfs mkfs.vfat mkfs.xfs mkntfs mkswap newfs newfs_apfs newfs_hfs
  newfs_msdos nvme parted partprobe pvmove pvremove reiserfsck resize2fs sfdisk sg_format sgdisk
  swapoff tgtadm tune2fs umount vgreduce vgremove wipefs xfs_repair zfs zpool
remote.code remote_code deny always - | OPAQUE CODE |
remote.unread remote_code ask always - | OPAQUE |
remote.socket remote_code deny always - | CODE OVERWRITE APPEND READ WRITE |
remote.decoded remote_code ask always - |  | . ash bash bun csh dash deno elvish eval fish ksh lua
  mksh node nodejs nu oksh perl php python python2 python3 rbash ruby sh source tcsh xonsh yash
  zsh
remote.preload remote_code ask always - |  | *
address.metadata addresses deny always - | FETCH SEND |
address.deceptive addresses ask always - | FETCH SEND |
packages.address package_sources ask always - |  | bunx easy_install gem npm npx pip pip3 pipx
  pnpm uv yarn
overwrite.remote-system remote_copy ask always - |  | rsync scp sftp
request.delete requests ask always - |  | curl curlie http httpie https wget wget2 xh xhs
system.fork-bomb system deny always - | FORK |
system.halt system ask always - |  | halt init kexec poweroff reboot shutdown sysrq systemctl
  telinit
system.services system ask always - |  | aa-disable aa-teardown at atrm auditctl batch chezmoi
  chkconfig crontab csrutil defaults firewall-cmd hostnamectl ifconfig insmod ip ip6tables
  iptables killall5 launchctl mise modprobe mount networksetup nft npm nvram pfctl pip pip3 pnpm
  rc-service rmmod service setenforce spctl ssh-copy-id swapoff sysctl systemctl systemd-run
  timedatectl ufw umount update-grub update-rc.d visudo yarn
system.users system ask always - |  | addgroup adduser chage chpasswd chsh delgroup deluser dscl
  gpasswd groupadd groupdel groupmod net pam-auth-update passwd pwck security sysadminctl useradd
  userdel usermod vigr vipw
system.packages system ask always - |  | apk apt apt-get aptitude brew choco dnf dpkg emerge
  flatpak nix-collect-garbage nix-env pacman port rpm scoop snap winget yum zypper
system.history system ask always - |  | declare dmesg export fc history journalctl logrotate set
  unset wevtutil
system.kill system ask always - |  | kill killall killall5 pkill
system.startup system ask always - | OVERWRITE APPEND WRITE LINK DELETE MOVE |
self.settings self_protection deny always - | OVERWRITE APPEND WRITE LINK DELETE MOVE PERMIT OWN |
self.off self_protection deny always - |  | alias apt apt-get brew bun cargo cc-safety-net conda
  cupcake dcg declare dnf export hash killall killall5 launchctl mamba nah npm pgrep pidof pip
  pip3 pipx pkill pnpm poetry rampart service skill snaphook systemctl tirith uv yarn
self.named self_named deny always - |  | *
self.child self_child deny always - |  | agy aider aider-chat amp auggie claude claude-code cline
  codex copilot crush cursor-agent devin droid gemini gemini-cli goose grok kilo kimi kimi-cli
  kiro-cli kiro-cli-chat opencode opencode-ai openhands pi q qwen qwen-code wave windsurf
self.typed self_typing deny always - |  | alacritty dotool emacsclient foot footclient ghostty
  gnome-terminal kgx kitten kitty konsole lxterminal mate-terminal nvim osascript ptyxis rxvt
  screen st terminator tilix tmux urxvt wezterm wtype x-terminal-emulator xdotool xfce4-terminal
  xterm ydotool zellij
privilege.shell privilege ask always - |  | ash bash csh dash doas elvish fish ksh mksh nu oksh
  rbash setcap sh su sudo tcsh xonsh yash zsh
windows.wipe windows deny always - |  | cipher clear-content clear-disk clear-eventlog clear-item
  clear-recyclebin format-volume initialize-disk ntdsutil reg remove-adobject remove-aduser
  remove-itemproperty remove-localuser remove-partition remove-volume reset-physicaldisk vssadmin
  wbadmin wevtutil wmic
windows.settings windows ask always - |  | add-mppreference add-type attrib bcdedit bitsadmin
  bootrec certutil cmdkey cscript disable-* enable-psremoting icacls mshta net netsh
  new-itemproperty new-psdrive new-service reagentc reg register-scheduledtask regsvr32
  remove-service restart-computer rundll32 saps sc schtasks set-acl set-executionpolicy
  set-itemproperty set-mppreference set-netfirewallprofile set-service setx start-process
  stop-computer stop-service takeown uninstall-* wscript
opaque opaque ask always - | OPAQUE |
git.push-protected git_push deny always - |  | git
git.push-force git_push ask always - |  | git
git.push-stray git_push ask always - |  | git
git.reset-unsaved git_discard deny always - |  | git
git.discard git_discard ask always - |  | git
git.revert git_discard ask always - | OVERWRITE WRITE |
git.history git_history ask always - |  | bfg git
git.checks git_checks ask always - |  | git pre-commit
git.hooks git_checks ask always - | PERMIT |
git.message git_message deny always - |  | git
git.push-lease git_lease ask optional - |  | git
git.add-all git_add_all ask optional - |  | git
forge.delete forges ask always - |  | gh glab hub
containers.remove containers ask always - |  | VBoxManage buildah colima crictl ctr docker
  docker-compose incus k0s k3d kind kubeadm lima limactl lxc minikube multipass nerdctl orb podman
  podman-compose vagrant virsh
containers.host containers ask always - |  | docker nerdctl podman
cluster.delete clusters ask always - |  | cilium helm helmfile istioctl k kops kubeadm kubectl
  kustomize linkerd oc rancher talosctl
infrastructure.destroy clusters ask always - |  | ansible ansible-galaxy ansible-vault cdk
  cdklocal cdktf crossplane opentofu packer pulumi terraform terragrunt tofu
cloud.destroy clouds ask always - |  | aliyun aws awslocal az azcopy b2 bq cinder civo copilot
  doctl eb ecs-cli eksctl exo gcloud gcutil gsutil hcloud ibmcloud linode-cli mc nova oci
  openstack s3cmd s5cmd scw tccli upctl vultr-cli
cloud.change clouds ask always - |  | aliyun aws awslocal az azcopy b2 bq cinder civo copilot
  doctl eb ecs-cli eksctl exo gcloud gcutil gsutil hcloud ibmcloud linode-cli mc nova oci
  openstack s3cmd s5cmd scw tccli upctl vultr-cli
service.delete services ask always - |  | acli aiven akamai akeyless algolia amplify amtool
  apigeecli appwrite argocd atlas auth0 avn bao bitrise bk boundary braintree buildkite-agent bw
  ccloud cf chamber circleci clerk cloudflare cloudflare-cli cloudflared cockroach confluent
  conjur consul contentful convex curator datadog-ci deck deployctl dnscontrol dog dokku doppler
  drone eas ecctl elastic etcdctl expo fastly firebase flarectl flipt flux fluxctl fly flyctl
  gitlab-rails gitlab-runner grafana-cli grafanactl growthbook harness hasura heroku honeycomb hub
  infisical influx jenkins-cli jira kafka-acls kafka-acls.sh kafka-configs kafka-configs.sh
  kafka-consumer-groups kafka-consumer-groups.sh kafka-delete-records kafka-delete-records.sh
  kafka-topics kafka-topics.sh kcat keyctl kong kongctl koyeb launchdarkly ldcli linear logcli
  lpass mailgun meilisearch mongocli mosquitto_ctrl nats neon neonctl netlify newrelic ngrok nhost
  nomad northflank now octodns-sync okta op opsgenie pass paypal pd plaid planetscale postmark
  promtool pscale pulsar-admin rabbitmqadmin rabbitmqctl railway render rollbar rpk sam sanity
  semaphore sendgrid sentry-cli serverless shopify sls spin splunk square sst statuspage stripe
  stytch supabase surge tctl tea teleport teller tkn travis tsh turso twilio tyk typesense unleash
  vault velero vercel waypoint wrangler zeit zkCli.sh
packages.publish packages ask always - |  | anaconda buildah bun bundle cabal cargo changeset cnpm
  composer conda crane dart docker docker-compose dotnet eas fastlane flit flutter gem goreleaser
  gradle gradlew hatch helm jf jfrog lein lerna luarocks maturin mix mvn mvnw nerdctl np npm nuget
  nx opam oras ovsx pdm pnpm pod podman podman-compose poetry pub python python3 regctl release-it
  rye sbt semantic-release skopeo snapcraft twine uv vsce yarn
backups.delete backups ask always - |  | barman borg borgmatic bup duplicacy duplicity dvc
  git-annex kopia mongorestore mysqlbackup pg_dump pg_dumpall pg_restore pgbackrest rclone
  rdiff-backup restic snapper tarsnap timeshift velero wal-g xtrabackup
database.drop-protected database deny always - | DROP EMPTY |
database.empty database deny always - | EMPTY |
database.drop database ask always - | DROP |
database.rewrite database ask always - | REWRITE |
database.rights database ask always - | GRANT |
database.start-over migrations ask always - |  | aerich alembic artisan atlas dbmate dbt diesel
  django-admin dotnet drizzle-kit drush flask flyway gitlab-rake goose hasura knex liquibase
  manage.py migrate mikro-orm mix php prisma python python2 python3 rails rake sea-orm-cli
  sequelize sequelize-cli sqlx typeorm typeorm-ts-node-commonjs uv wp
machine.settings machine ask always - |  | apache2ctl apachectl arp bcdedit bootctl defaults
  diskutil dscl efibootmgr fdesetup gpg gpg2 grub-install haproxy initctl ip launchctl loginctl
  networksetup nginx nsupdate nvram pm2 pmset profiles rc-update reg route schtasks scutil
  security spctl ssh-add ssh-keygen supervisorctl sv systemsetup tmutil vssadmin
secrets.send secrets deny always - | SEND FETCH |
secrets.reach secrets deny always - |  | aria2c axel busybox croc curlie delv dig drill elinks
  ffsend fping ftp getent gh glab grpcurl host hping3 http https hurl iperf3 kcat kdig lftp links
  logger lynx mail mailx mosquitto_pub msmtp mtr mutt nats nc ncat netcat ngrok nslookup nsupdate
  openssl pastebinit ping ping6 rclone redis-cli resolvectl s3cmd sendmail sftp snmpget socat ssh
  swaks telnet tftp tracepath traceroute w3m websocat whois wormhole wscat xh
secrets.read secrets ask always - | READ |
records.delete records deny always - | DELETE MOVE OVERWRITE |
paths.protected records deny always - | DELETE MOVE OVERWRITE WRITE APPEND LINK PERMIT OWN |
records.blackbox records ask always - | DELETE MOVE |
files.bulk records ask always - | DELETE MOVE WRITE |
contents.yaml contents deny always - | WRITE OVERWRITE |
contents.task contents deny optional bb5 | WRITE OVERWRITE |
agents.git agents deny optional bb5 |  | git
agents.scope agents deny optional bb5 | WRITE OVERWRITE APPEND DELETE MOVE LINK |
secrets.store secret_stores ask always - |  | age ansible-vault aws az bw chamber docker doppler
  git gpg gpg2 heroku infisical keyring kwallet-query lpass npm op pass ps rage secret-tool sops
  vault
secrets.print secret_stores ask always - | READ | ag curl egrep grep rg wget
leaks.names leaks ask always - |  | dig drill host kdig nslookup ping resolvectl
send.whole whole_uploads ask always - | SEND FETCH |
git.branch-delete choices ask optional - |  | git
git.abort choices ask optional - |  | git
delete.built choices ask optional - | DELETE |
delete.temp choices ask optional - | DELETE |
ci.run pack_ci ask optional ci |  | act amplify argocd bk buildkite-agent cap circleci copilot
  dagger drone eb fastlane firebase flux fly flyctl gh glab goreleaser heroku jenkins jenkins-cli
  kamal netlify now np octo railway release-it release-please render sam semantic-release
  serverless sls spin spinnaker sst tkn travis vercel wrangler
ci.pipeline pack_ci ask optional ci | WRITE OVERWRITE APPEND DELETE MOVE LINK |
cloud.production pack_cloud deny optional cloud |  | aliyun aws awslocal az azcopy b2 bq cinder
  civo copilot doctl eb ecs-cli eksctl exo gcloud gcutil gsutil hcloud ibmcloud linode-cli mc nova
  oci openstack s3cmd s5cmd scw tccli upctl vultr-cli
cloud.rights pack_cloud deny optional cloud |  | aws az gcloud
cloud.routine pack_cloud ask optional cloud |  | aws az azcopy doctl gcloud gsutil hcloud mc s3cmd
databases.production pack_databases deny optional databases | CODE DROP EMPTY REWRITE GRANT |
  clusterdb createdb createuser dropdb dropuser initdb mariadb mariadb-admin mariadb-upgrade
  mongod mongoimport mongorestore mysql mysql_secure_installation mysql_upgrade mysqladmin mysqld
  mysqlimport pg_ctl pg_resetwal pg_restore pg_upgrade pgbench pgloader postgres psql redis-cli
  redis-server reindexdb sqlite3 vacuumdb valkey-cli
databases.write pack_databases ask optional databases | CODE DROP EMPTY REWRITE GRANT | clusterdb
  createdb createuser dropdb dropuser initdb mariadb mariadb-admin mariadb-upgrade mongod
  mongoimport mongorestore mysql mysql_secure_installation mysql_upgrade mysqladmin mysqld
  mysqlimport pg_ctl pg_resetwal pg_restore pg_upgrade pgbench pgloader postgres psql redis-cli
  redis-server reindexdb sqlite3 vacuumdb valkey-cli
docker.production pack_docker deny optional docker |  | docker docker-compose nerdctl podman
  podman-compose
docker.change pack_docker ask optional docker |  | docker docker-compose nerdctl podman
  podman-compose
exfiltration.send pack_exfiltration ask optional exfiltration | SEND FETCH | aws az azcopy bore
  borg cloudflared croc duplicity ffsend ftp gcloud gh gist git glab gsutil ipfs kopia lftp
  localtunnel lt magic-wormhole mail mailx msmtp mutt ngrok pastebinit rclone restic rsync scp
  sendmail serveo sftp socat sprunge swaks termbin tftp transfer.sh wormhole
exfiltration.gather pack_exfiltration ask optional exfiltration | READ | env printenv
exfiltration.names pack_exfiltration ask optional exfiltration |  | dig drill host kdig nslookup
  ping resolvectl
kubernetes.production pack_kubernetes deny optional kubernetes |  | argocd flux helm helmfile
  istioctl k k9s kubectl kustomize oc stern
kubernetes.change pack_kubernetes ask optional kubernetes |  | argocd flux helm helmfile istioctl
  k k9s kubectl kustomize oc stern
publishing.publish pack_publishing deny optional publishing |  | anaconda buildah bun bundle cabal
  cargo changeset cnpm composer conda crane dart docker docker-compose dotnet eas fastlane flit
  flutter gem goreleaser gradle gradlew hatch helm jf jfrog lein lerna luarocks maturin mix mvn
  mvnw nerdctl np npm nuget nx opam oras ovsx pdm pnpm pod podman podman-compose poetry pub python
  python3 regctl release-it rye sbt semantic-release skopeo snapcraft twine uv vsce yarn
publishing.prepare pack_publishing ask optional publishing |  | bump-my-version bump2version
  bumpversion bun cargo changeset docker dotnet gem gh git glab hatch helm lerna mvn nerdctl npm
  ovsx pnpm podman poetry release-please sbt standard-version tbump twine vsce yarn
services.change pack_services ask optional services |  | a2dismod a2dissite a2enmod a2ensite
  apache2ctl apachectl brew crontab initctl launchctl loginctl monit nginx pm2 rc-service
  rc-update runsvctrl service supervisorctl sv systemctl systemd-run systemd-tmpfiles
services.machine pack_services ask optional services |  | aa-complain aa-disable aa-enforce
  add-apt-repository adduser apk apt apt-get apt-key aptitude chkconfig chpasswd chrt defaults
  deluser dnf dpkg dpkg-reconfigure firewall-cmd flatpak groupadd groupdel halt hostnamectl insmod
  ionice ip ip6tables iptables kill killall localectl losetup modprobe mount nft nmcli pacman
  passwd pkill pmset port poweroff reboot renice restorecon rmmod rpm scutil semanage setenforce
  setsebool shutdown snap softwareupdate swapoff swapon sysctl timedatectl ufw umount
  update-alternatives update-grub update-initramfs update-rc.d useradd userdel usermod xkill yum
  zypper
terraform.production pack_terraform deny optional terraform |  | ansible ansible-config
  ansible-doc ansible-inventory ansible-lint ansible-playbook cdk cdklocal cdktf checkov infracost
  opentofu packer pulumi terraform terraform-docs terragrunt terrascan tflint tfsec tofu
terraform.change pack_terraform ask optional terraform |  | ansible ansible-config ansible-doc
  ansible-inventory ansible-lint ansible-playbook cdk cdklocal cdktf checkov infracost opentofu
  packer pulumi terraform terraform-docs terragrunt terrascan tflint tfsec tofu
windows.cmdlets pack_windows ask optional windows |  | *
windows.tools pack_windows ask optional windows |  | appcmd assoc attrib bcdedit bitsadmin bootrec
  cacls certutil chkdsk choco cipher cmdkey compact cscript defrag del diskpart dism erase format
  fsutil ftype gpupdate icacls iisreset label logoff mklink mountvol move mshta msiexec net netsh
  powercfg rd reg regedit regsvr32 ren rmdir robocopy rundll32 sc sc.exe schtasks scoop secedit
  setx sfc shutdown subst takeown taskkill tskill vol vssadmin wbadmin winget wmic wscript wsl
  xcopy
packages.lookalike package_names ask always - |  | bun bundle bunx cargo gem hatch npm npx pdm pip
  pip3 pipx pnpm pnpx poetry rye uv uvx yarn
"""
