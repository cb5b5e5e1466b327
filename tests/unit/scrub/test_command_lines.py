"""Lines in which people give a password away: commands, settings, sentences. None survives."""

import json

import pytest

from snaphook.scrub import Scrubber

SCRUBBER = Scrubber(salt=b"salt")
PASSWORD = "Tr0ub4dor-x9"
LINES = r"""
mysql -u root -p{} -h db mydb
mysql --user=root --password={} mydb
mysql -uroot -p"{}"
MYSQL_PWD={} mysql -u root
PGPASSWORD={} psql -h db
PGPASSWORD='{}' pg_dump db
psql "host=db user=app password={} dbname=x"
psql postgresql://app:{}@db/x
sshpass -p{} ssh u@h
sshpass -p '{}' rsync -a x y
SSHPASS={} sshpass -e ssh u@h
redis-cli -a {} ping
redis-cli --pass {} ping
redis-cli -u redis://default:{}@h:6379
docker login -u me -p {}
docker login --username me --password {} reg.io
docker run -e MYSQL_ROOT_PASSWORD={} mysql
docker run --env DB_PASS={} app
docker build --build-arg NPM_TOKEN={} .
echo {} | docker login -u me --password-stdin
echo "{}" | sudo -S apt update
echo 'root:{}' | chpasswd
printf '%s' '{}' | gh auth login --with-token
sudo -S ls <<< "{}"
curl -u admin:{} https://x
curl --user admin:{} https://x
curl -uadmin:{} https://x
curl -x http://proxy -U me:{} https://x
curl -H "Authorization: Bearer {}abcdef123456" https://x
curl -H 'X-Api-Key: {}' https://x
curl -H "X-Auth-Token:{}" https://x
curl -d 'user=a&password={}' https://x
curl -d '{"password": "{}"}' https://x
curl --data-urlencode "client_secret={}" https://x
curl "https://x/?api_key={}abc123&x=1"
curl https://user:{}@x.com/path
wget --user=a --password={} https://x
wget --http-password={} https://x
http -a admin:{} GET x.com
git clone https://oauth2:{}@gitlab.com/x/y.git
git remote set-url origin https://me:{}@github.com/x/y
az login --service-principal -u id -p {} --tenant t
aws configure set aws_secret_access_key {}AbCdEfGhIjKlMnOpQrStUvWxYz12
export AWS_SECRET_ACCESS_KEY={}AbCdEfGhIjKlMnOpQrStUvWxYz12
kubectl create secret generic s --from-literal=password={}
kubectl create secret docker-registry r --docker-password={} --docker-username=me
kubectl config set-credentials me --token={}abc123
helm install x ./c --set auth.password={}
helm upgrade x ./c --set-string db.pass={}
vault login {}abcdefg12
vault kv put secret/x password={}
vault write auth/userpass/login/me password={}
ansible-playbook x.yml -e "ansible_password={}"
ansible-playbook x.yml --extra-vars '{"db_password":"{}"}'
terraform apply -var 'db_password={}'
TF_VAR_db_password={} terraform apply
openssl enc -aes-256-cbc -k {} -in a
openssl rsa -in k -passin pass:{}
gpg --batch --passphrase {} -c f
zip -P {} a.zip f
7z a -p{} a.7z f
unzip -P {} a.zip
htpasswd -b .htpasswd me {}
htpasswd -bc .htpasswd me {}
ldapsearch -x -D cn=a -w {} -b dc=x
smbclient //s/x -U me%{}
mount -t cifs //s/x /m -o username=me,password={}
net use Z: \\s\x {} /user:me
mongosh -u me -p {} --authenticationDatabase admin
mongodump --uri "mongodb://me:{}@h/db"
sqlcmd -S h -U sa -P {}
bcp db out f -S h -U sa -P{}
sqlplus scott/{}@orcl
influx -username a -password {}
cqlsh -u a -p {}
clickhouse-client --user a --password {}
rabbitmqctl add_user me {}
rabbitmqctl change_password me {}
useradd -p {} bob
usermod --password {} bob
ssh-keygen -t rsa -N '{}' -f k
ssh-keygen -p -P '{}' -N 'new' -f k
keytool -genkey -storepass {} -keypass {}
xfreerdp /u:me /p:{} /v:h
rdesktop -u me -p {} h
twine upload -u __token__ -p {}abcdef dist/*
npm config set //registry.npmjs.org/:_authToken {}abcdef12
npm publish --otp=123456 --//registry.npmjs.org/:_authToken={}abcdef
cargo login {}abcdefgh
gem push x.gem --key {}
nuget push x -ApiKey {}abcdefgh
dotnet nuget push x --api-key {}abcdefgh
flyctl secrets set DB={}
fly secrets set A=b DB_PASSWORD={}
heroku config:set SECRET={}
gh secret set TOKEN --body {}
gh secret set TOKEN -b"{}"
wrangler secret put X <<< {}
doctl auth init -t {}abcdefgh
mc alias set m https://h AK {}
rclone config create r s3 secret_access_key={}
s3cmd --access_key=AK --secret_key={} ls
snmpwalk -v2c -c {} h
ipmitool -H h -U a -P {} power on
svn co --username a --password {} url
lftp -u me,{} ftp.x
ftp://me:{}@ftp.x/
wpa_passphrase home {}
nmcli dev wifi connect Home password {}
mosquitto_pub -h h -u me -P {} -t t -m m
etcdctl --user root:{} get x
yt-dlp -u me -p {} url
restic -r x --password-command "echo {}"
pscp -pw {} f h:
plink -ssh me@h -pw {}
jira login --token {}abc123
tool --api-token {}abc123
tool --apiKey={}abc123
tool --secret "{}"
tool --auth {}abc123
tool --pw {}
tool -Dspring.datasource.password={}
java -Djavax.net.ssl.keyStorePassword={} -jar a.jar
spring.datasource.password={}
  password: {}
  "dbPassword" : "{}",
password => '{}',
const password = `{}`;
Password={};Server=x
Server=x;User Id=a;Password={};
DB_PASSWORD="{}"
set DB_PASSWORD={}
setx DB_PASSWORD {}
$env:DB_PASSWORD = "{}"
ConvertTo-SecureString "{}" -AsPlainText -Force
<password>{}</password>
<add key="Password" value="{}" />
my password is {}
The admin password: {}
login with user admin and password {}
passwd={}
secret_key_base: {}abcdef1234567890
""".strip("\n").splitlines()


@pytest.mark.req("SQ-3")
@pytest.mark.parametrize("line", LINES)
def test_the_password_is_gone(line):
    text = line.replace("{}", PASSWORD)

    assert PASSWORD in text
    assert PASSWORD not in SCRUBBER.text(text)
    assert PASSWORD not in SCRUBBER.text(f"First this.\n{text}\nThen that.")
    once = SCRUBBER.text(json.dumps({"command": text}))
    assert SCRUBBER.text(once) == once


@pytest.mark.parametrize(
    "line",
    [
        "The password must have at least 12 characters and 2 digits.",
        "Enter your password to continue with step 2",
        "password reset link expires in 24 hours",
        "the token is valid for 3600 seconds",
        "tool --auth-mode oauth2 --token-ttl 3600",
        '<password minlength="12"></password>',
        "<token>${TOKEN}</token>",
        '<add key="PasswordMinLength" value="12" />',
        "tool_use_id: toolu_01A09q90qw90lq917835lq9",
        "chatcmpl-9zYg3kQ2mB7nT4vX8cD1fH6jL0pR5",
        "cache_key = 'v2-linux-x64-node20-2f9c1b7d'",
        "primary_key: user_0123456789abcdef",
        "key: 8f14e45fceea167a5a36dedd4bea2543",
        '"integrity": "sha512-b1Qx9V7mZ0aYd3c8KpLwT6uJ2nR5sE4fGhIoPqXyZ1A2B3C4D5E6F7G8H9I0=="',
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk",
        "index-BZ3kd9aQ.js  chunk-4f8d9e2a1b7c.css",
    ],
)
def test_other_lines_with_the_same_words_stay(line):
    assert SCRUBBER.text(line) == line
