"""Formats of real services' tokens, as the services describe them; random members of each.

Written without looking at our own rules, so that a kind we do not know is found out. Each line is a name,
then how the token is met: bare, or in the line of a settings file that a service's manual shows.
``{h32}``: 32 hexadecimal digits; ``a``: letters and digits; ``l``, ``u``: only small or capital ones with
digits; ``b``: base64url; ``B``: base64; ``d``: digits; ``uuid``. Nothing here was ever issued by anyone.
"""

import random
import re
import string
from collections.abc import Iterator

from msgspec import Struct

_ALPHABETS = {
    "h": "0123456789abcdef",
    "a": string.ascii_letters + string.digits,
    "l": string.ascii_lowercase + string.digits,
    "u": string.ascii_uppercase + string.digits,
    "b": string.ascii_letters + string.digits + "_-",
    "B": string.ascii_letters + string.digits + "+/",
    "d": string.digits,
}
_PART = re.compile(r"\{(uuid|[halubBd])(\d*)\}")

FORMATS = r"""
github-classic           ghp_{a36}
github-oauth             gho_{a36}
github-app-user          ghu_{a36}
github-app-server        ghs_{a36}
github-fine-grained      github_pat_{a22}_{a59}
gitlab-personal          glpat-{b20}
gitlab-routable          glpat-{b27}.{l2}.{l9}
gitlab-runner            glrt-{b20}
gitlab-deploy            gldt-{b20}
bitbucket-app-password   ATBB{a32}
atlassian                ATATT3xFfGF0{b170}={u8}
aws-access-key           AKIA{u16}
aws-session-key          ASIA{u16}
aws-secret               aws_secret_access_key = {B40}
aws-secret-env           AWS_SECRET_ACCESS_KEY={B40}
google-api               AIza{b35}
google-oauth-secret      GOCSPX-{b28}
google-access            ya29.{b60}
firebase-cloud-messaging AAAA{b7}:APA91b{b134}
azure-storage            AccountName=x;AccountKey={B86}==;EndpointSuffix=core.windows.net
azure-ad-secret          {a3}8Q~{b34}
azure-sas                https://x.blob.core.windows.net/c?sv=2022-11-02&sig={a43}%3D
azure-devops             AZURE_DEVOPS_TOKEN={l52}
digitalocean             dop_v1_{h64}
heroku                   HEROKU_API_KEY={uuid}
heroku-new               HRKU-AA{b58}
cloudflare-token         CLOUDFLARE_API_TOKEN={b40}
cloudflare-global        X-Auth-Key: {h37}
cloudflare-origin        v1.0-{h24}-{h146}
fly                      FlyV1 fm2_{B120}
vercel                   VERCEL_TOKEN={a24}
netlify                  nfp_{a40}
supabase-service         sbp_{h40}
neon                     napi_{l64}
planetscale              pscale_tkn_{b43}
databricks               dapi{h32}
snowflake-password       SNOWFLAKE_PASSWORD={a16}
mongodb-uri              mongodb+srv://app:{a18}@cluster0.abcde.mongodb.net/db
postgres-uri             postgres://app:{a18}@db.internal:5432/app
redis-uri                redis://:{a24}@cache:6379/0
amqp-uri                 amqps://user:{a18}@mq.example:5671/vh
terraform-cloud          {a14}.atlasv1.{b67}
vault                    hvs.{b90}
vault-batch              hvb.{b130}
consul                   CONSUL_HTTP_TOKEN={uuid}
nomad                    NOMAD_TOKEN={uuid}
pulumi                   pul-{h40}
doppler                  dp.pt.{a43}
onepassword              ops_eyJ{a220}
tailscale                tskey-auth-k{a11}CNTRL-{a32}
ngrok                    NGROK_AUTHTOKEN={a27}_{a21}
npm                      npm_{a36}
npmrc                    //registry.npmjs.org/:_authToken={uuid}
pypi                     pypi-AgEIcHlwaS5vcmc{b120}
rubygems                 rubygems_{h48}
crates                   cio{a32}
nuget                    oy2{l43}
docker-hub               dckr_pat_{b27}
jfrog                    AKCp{a69}
sonarqube                squ_{h40}
snyk                     SNYK_TOKEN={uuid}
codecov                  CODECOV_TOKEN={uuid}
circleci                 CCIPAT_{a22}_{h40}
buildkite                bkua_{h40}
openai-project           sk-proj-{b74}T3BlbkFJ{b74}
openai-legacy            sk-{a20}T3BlbkFJ{a20}
anthropic                sk-ant-api03-{b93}AA
huggingface              hf_{a34}
replicate                r8_{a37}
groq                     gsk_{a52}
perplexity               pplx-{a48}
xai                      xai-{a80}
openrouter               sk-or-v1-{h64}
mistral                  MISTRAL_API_KEY={a32}
cohere                   COHERE_API_KEY={a40}
deepgram                 DEEPGRAM_API_KEY={h40}
elevenlabs               ELEVENLABS_API_KEY=sk_{h48}
pinecone                 PINECONE_API_KEY=pcsk_{a6}_{a60}
langsmith                lsv2_pt_{h32}_{h10}
weights-and-biases       WANDB_API_KEY={h40}
stripe-live              sk_live_{a24}
stripe-long              sk_live_51{a97}
stripe-restricted        rk_live_{a24}
stripe-webhook           whsec_{a32}
square                   EAAA{b60}
braintree                access_token$production${l16}${h32}
paypal                   PAYPAL_CLIENT_SECRET={b80}
razorpay                 RAZORPAY_KEY_SECRET={a24}
plaid                    access-production-{uuid}
shopify                  shpat_{h32}
coinbase                 COINBASE_API_SECRET={b64}
slack-bot                xoxb-{d12}-{d13}-{a24}
slack-user               xoxp-{d12}-{d12}-{d13}-{h32}
slack-app                xapp-1-A{u10}-{d13}-{h64}
slack-webhook            https://hooks.slack.com/services/T{u8}/B{u8}/{a24}
discord-bot              DISCORD_TOKEN=M{b23}.{b6}.{b38}
discord-webhook          https://discord.com/api/webhooks/{d18}/{b68}
telegram                 {d10}:AA{b33}
twilio-key               SK{h32}
twilio-auth              TWILIO_AUTH_TOKEN={h32}
sendgrid                 SG.{b22}.{b43}
mailgun                  key-{h32}
mailchimp                {h32}-us14
postmark                 POSTMARK_SERVER_TOKEN={uuid}
resend                   re_{a8}_{a24}
brevo                    xkeysib-{h64}-{a16}
teams-webhook            https://acme.webhook.office.com/webhookb2/{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}
hubspot                  pat-na1-{uuid}
intercom                 INTERCOM_ACCESS_TOKEN=dG9rO{a55}=
zendesk                  ZENDESK_API_TOKEN={a40}
pagerduty                PAGERDUTY_TOKEN=u+{a18}
datadog                  DD_API_KEY={h32}
datadog-app              DD_APPLICATION_KEY={h40}
newrelic                 NRAK-{u27}
newrelic-licence         NEW_RELIC_LICENSE_KEY={h36}NRAL
grafana-cloud            glc_eyJ{a120}
grafana-service          glsa_{a32}_{h8}
honeycomb                hcaik_{l58}
dynatrace                dt0c01.{u24}.{u64}
sentry                   sntrys_eyJ{a160}
sentry-user              sntryu_{h64}
posthog                  phx_{a43}
splunk-hec               SPLUNK_HEC_TOKEN={uuid}
linear                   lin_api_{a40}
notion                   ntn_{a46}
airtable                 pat{a14}.{h64}
figma                    figd_{b40}
postman                  PMAK-{h24}-{h34}
asana                    ASANA_ACCESS_TOKEN=1/{d16}:{h32}
trello                   TRELLO_TOKEN=ATTA{h64}{u8}
dropbox                  sl.B{b140}
contentful               CFPAT-{b43}
algolia                  ALGOLIA_ADMIN_KEY={h32}
mapbox                   sk.eyJ{a80}.{b22}
okta                     OKTA_API_TOKEN=00{b40}
okta-header              Authorization: SSWS 00{b40}
auth0                    AUTH0_CLIENT_SECRET={b64}
facebook                 EAACEdEose0cBA{a170}
twitter-bearer           AAAAAAAAAAAAAAAAAAAAA{a30}%3D{a50}
linkedin                 LINKEDIN_CLIENT_SECRET={a16}
twitch                   TWITCH_CLIENT_SECRET={l30}
spotify                  SPOTIFY_CLIENT_SECRET={h32}
jwt                      eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJ{a60}.{b43}
basic-auth               Authorization: Basic {a40}=
bearer                   Authorization: Bearer {b64}
bare-authorization       Authorization: {a40}
age                      AGE-SECRET-KEY-1{u58}
wireguard                PrivateKey = {B43}=
docker-config            {"auths": {"x": {"auth": "{B40}=="}}}
netrc                    machine api.example.com login me password {a20}
kubernetes-sa            token: eyJhbGciOiJSUzI1NiIsImtpZCI6I{a12}.eyJ{a200}.{b200}
yaml-password            db_password: "{a8}!{a8}"
dotenv-pass              SMTP_PASS={a14}
json-secret              "client_secret": "{b32}"
adafruit                 ADAFRUIT_IO_KEY=aio_{a28}
octopus                  API-{u27}
openshift                sha256~{b43}
twitch-stream            live_{d9}_{a30}
infracost                ico-{a32}
an-unknown-service       acme_live_{a32}
another-unknown          zorg-{a40}
unknown-key-variable     ZORG_SIGNING_KEY={a32}
unknown-token-variable   ZORG_TOKEN={h40}
unknown-json-token       {"sessionToken": "{b48}"}
""".strip().splitlines()


class Planted(Struct, frozen=True):
    """A token and the text in which it is met."""

    kind: str
    text: str
    secret: str


def planted(seed: str) -> list[Planted]:
    """Return one random member of each format; the same *seed*, the same members."""
    return [_member(line, random.Random(f"{seed}/{line}")) for line in FORMATS]


def _member(line: str, dice: random.Random) -> Planted:
    kind, _, template = line.partition(" ")
    parts = [_random(found, dice) for found in _PART.finditer(template)]
    filled = iter(parts)
    text = _PART.sub(lambda _: next(filled), template.strip())
    return Planted(kind, text, max(parts, key=len))


def _random(found: re.Match[str], dice: random.Random) -> str:
    if found[1] == "uuid":
        return "-".join("".join(dice.choices(_ALPHABETS["h"], k=n)) for n in (8, 4, 4, 4, 12))
    return "".join(dice.choices(_ALPHABETS[found[1]], k=int(found[2])))


def carried(made: Planted) -> Iterator[str]:
    """Yield *made* as agents meet it: alone, in prose, in a log line, in JSON, in a command."""
    yield made.text
    yield f"I found this in the config: {made.text} (please rotate it)"
    yield f"2026-01-02T03:04:05Z ERROR upstream said no; sent '{made.text}'"
    yield f"export X; {made.text}"
