"""Keys of clouds, hosts, and the tools that manage them."""

from snaphook.scrub.rule import SecretRule, named, pattern, token

_HEX = "[a-f0-9]"
_AN = "[A-Za-z0-9]"
_AN_ = "[A-Za-z0-9_-]"
_B64 = "[A-Za-z0-9+/]"
_UUID = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"
_AWS = "[A-Z0-9]{16}(?![A-Za-z0-9])"

CLOUD: tuple[SecretRule, ...] = (
    token("aws-access-key", "AWS access key id", "AKIA", _AWS),
    token("aws-temporary-key", "AWS temporary access key id", "ASIA", _AWS),
    token("aws-bearer-key", "AWS STS bearer key id", "ABIA", _AWS),
    token("aws-context-key", "AWS context key id", "ACCA", _AWS),
    token("aws-bedrock-key", "AWS Bedrock key", "ABSK", rf"{_B64}{{100,200}}={{0,2}}"),
    token("aws-mws-token", "Amazon MWS token", "amzn.mws.", _UUID),
    named(
        "aws-secret-key",
        "AWS secret access key",
        "aws_secret aws_sec secret_access_key secretaccesskey secret-access-key",
        rf"{_B64}{{40}}",
        entropy=3.5,
    ),
    named(
        "aws-session-token",
        "AWS session token",
        "aws_session sessiontoken session_token",
        rf"{_B64}{{100,2000}}={{0,2}}",
    ),
    token("google-api-key", "Google API key", "AIza", rf"{_AN_}{{35}}"),
    token("google-oauth-token", "Google OAuth access token", "ya29.", rf"{_AN_}{{20,400}}"),
    token("google-oauth-secret", "Google OAuth client secret", "GOCSPX-", rf"{_AN_}{{28}}"),
    token("google-refresh-token", "Google OAuth refresh token", "1//0", rf"{_AN_}{{30,200}}"),
    named("google-key-id", "Google service account key id", "private_key_id", rf"{_HEX}{{40}}"),
    token("firebase-server-key", "Firebase server key", "AAAA", rf"{_AN_}{{7}}:{_AN_}{{140}}"),
    pattern(
        "azure-client-secret",
        "Azure AD client secret",
        ("q~",),
        r"[A-Za-z0-9_~.]{3}[78]Q~[A-Za-z0-9_~.\-]{31,34}",
        lead=4,
        hint=r"Q~[A-Za-z0-9_~.\-]{8}",
    ),
    pattern(
        "azure-storage-key",
        "Azure storage account key",
        ("accountkey=",),
        rf"(?i:accountkey=)({_B64}{{86}}==)",
    ),
    pattern(
        "azure-shared-access-key",
        "Azure Service Bus or Event Hubs key",
        ("sharedaccesskey=",),
        rf"(?i:sharedaccesskey=)({_B64}{{43}}=)",
    ),
    pattern(
        "azure-sas-signature",
        "Azure shared access signature",
        ("sig=",),
        r"(?i:sig=)([A-Za-z0-9%+/_-]{40,80}(?:%3[Dd]|=)?)",
        hint="(?i:sig=)[A-Za-z0-9%+/_-]{8}",
    ),
    named("azure-devops-token", "Azure DevOps token", "azure_devops azdo vsts", "[a-z0-9]{52}"),
    named("azure-openai-key", "Azure OpenAI key", "azure_openai azureopenai", rf"{_HEX}{{32}}"),
    named("azure-cognitive-key", "Azure subscription key", "ocp-apim", rf"{_HEX}{{32}}"),
    named("azure-function-key", "Azure Functions key", "x-functions-key", r"[\w/+-]{40,60}={0,2}"),
    token("digitalocean-token", "DigitalOcean token", "dop_v1_", rf"{_HEX}{{64}}"),
    token("digitalocean-oauth", "DigitalOcean OAuth token", "doo_v1_", rf"{_HEX}{{64}}"),
    token("digitalocean-refresh", "DigitalOcean refresh token", "dor_v1_", rf"{_HEX}{{64}}"),
    token("alibaba-access-key", "Alibaba Cloud key id", "LTAI", rf"{_AN}{{12,20}}(?!{_AN})"),
    named("alibaba-secret", "Alibaba Cloud secret", "alibaba aliyun alicloud", rf"{_AN}{{30}}"),
    token("tencent-secret-id", "Tencent Cloud secret id", "AKID", rf"{_AN}{{32}}(?!{_AN})"),
    token("baidu-access-key", "Baidu Cloud access key", "ALTAK", rf"{_AN}{{21}}(?!{_AN})"),
    token("yandex-api-key", "Yandex Cloud API key", "AQVN", rf"{_AN_}{{35,38}}"),
    token(
        "yandex-iam-token",
        "Yandex Cloud IAM token",
        "t1.",
        rf"[A-Z0-9a-z_-]{{20,}}=*\.{_AN_}{{86}}",
    ),
    token("yandex-oauth", "Yandex OAuth token", "y0_", rf"{_AN_}{{50,64}}"),
    named("ibm-cloud-key", "IBM Cloud key", "ibmcloud ibm_cloud", rf"{_AN_}{{44}}"),
    named("linode-token", "Linode token", "linode", rf"{_HEX}{{64}}"),
    named("vultr-key", "Vultr key", "vultr", "[A-Z0-9]{36}"),
    named("hetzner-token", "Hetzner token", "hetzner hcloud", rf"{_AN}{{64}}", entropy=3.5),
    token("scaleway-access-key", "Scaleway access key", "SCW", r"[A-Z0-9]{17}(?![A-Za-z0-9])"),
    named("scaleway-secret", "Scaleway secret key", "scw_secret scaleway", _UUID),
    named("ovh-secret", "OVH application secret", "ovh_", rf"{_AN}{{32}}", entropy=3.5),
    named(
        "cloudflare-token", "Cloudflare token", "cloudflare cf_api", rf"{_AN_}{{40}}", entropy=3.5
    ),
    named("cloudflare-global-key", "Cloudflare global key", "x-auth-key", rf"{_HEX}{{37}}"),
    token(
        "cloudflare-origin-key", "Cloudflare origin CA key", "v1.0-", rf"{_HEX}{{24}}-{_HEX}{{146}}"
    ),
    token("fly-token", "Fly.io token", "FlyV1", r" fm[12]_[A-Za-z0-9+/=_,-]{40,2000}"),
    token("fly-access-token", "Fly.io access token", "fo1_", rf"{_AN_}{{43}}"),
    token("heroku-key", "Heroku key", "HRKU-", rf"{_AN_}{{36,70}}"),
    named("heroku-api-key", "Heroku API key", "heroku", _UUID),
    named("vercel-token", "Vercel token", "vercel", rf"{_AN}{{24}}", entropy=3.5),
    token("netlify-token", "Netlify token", "nfp_", rf"{_AN}{{36,40}}"),
    named(
        "netlify-legacy-token", "Netlify legacy token", "netlify", rf"{_AN_}{{43,46}}", entropy=3.5
    ),
    token("render-key", "Render key", "rnd_", rf"{_AN}{{28,40}}"),
    named("railway-token", "Railway token", "railway", _UUID),
    token("supabase-token", "Supabase token", "sbp_", rf"{_HEX}{{40}}"),
    token("supabase-secret-key", "Supabase secret key", "sb_secret_", rf"{_AN_}{{20,60}}"),
    token("planetscale-token", "PlanetScale token", "pscale_tkn_", r"[\w=.-]{32,64}"),
    token("planetscale-password", "PlanetScale password", "pscale_pw_", r"[\w=.-]{32,64}"),
    token("planetscale-oauth", "PlanetScale OAuth token", "pscale_oauth_", r"[\w=.-]{32,64}"),
    token("neon-key", "Neon key", "napi_", rf"{_AN}{{50,80}}"),
    named("mongodb-atlas-key", "MongoDB Atlas key", "atlas_private", _UUID),
    named("upstash-token", "Upstash token", "upstash", rf"{_AN_}{{40,120}}={{0,2}}", entropy=3.5),
    token("databricks-token", "Databricks token", "dapi", rf"{_HEX}{{32}}(?:-\d)?"),
    named("confluent-secret", "Confluent secret", "confluent", rf"{_B64}{{64}}", entropy=3.5),
    token("aiven-token", "Aiven token", "AVNS_", rf"{_AN_}{{16,32}}"),
    named("fastly-token", "Fastly token", "fastly", rf"{_AN_}{{32}}", entropy=3.5),
    token("akamai-token", "Akamai client token", "akab-", rf"{_AN}{{16}}-{_AN}{{16}}"),
    token("pulumi-token", "Pulumi token", "pul-", rf"{_HEX}{{40}}"),
    pattern(
        "terraform-token",
        "Terraform Cloud token",
        (".atlasv1.",),
        rf"{_AN}{{14}}\.atlasv1\.[A-Za-z0-9_=-]{{60,70}}",
        lead=14,
    ),
    token("vault-service-token", "Vault service token", "hvs.", rf"{_AN_}{{24,200}}"),
    token("vault-batch-token", "Vault batch token", "hvb.", rf"{_AN_}{{24,300}}"),
    token("vault-recovery-token", "Vault recovery token", "hvr.", rf"{_AN_}{{24,200}}"),
    named("vault-legacy-token", "Vault legacy token", "vault_token", rf"s\.{_AN}{{24}}"),
    named("consul-token", "Consul token", "consul", _UUID),
    named("nomad-token", "Nomad token", "nomad", _UUID),
    token("doppler-personal", "Doppler personal token", "dp.pt.", rf"{_AN}{{40,44}}"),
    token(
        "doppler-service",
        "Doppler service token",
        "dp.st.",
        rf"(?:[a-z0-9_-]{{2,35}}\.)?{_AN}{{40,44}}",
    ),
    token("doppler-cli", "Doppler CLI token", "dp.ct.", rf"{_AN}{{40,44}}"),
    token("doppler-account", "Doppler service account", "dp.sa.", rf"{_AN}{{40,44}}"),
    token("doppler-scim", "Doppler SCIM token", "dp.scim.", rf"{_AN}{{40,44}}"),
    token("doppler-audit", "Doppler audit token", "dp.audit.", rf"{_AN}{{40,44}}"),
    token(
        "infisical-token", "Infisical token", "st.", rf"{_HEX}{{24}}\.{_HEX}{{32}}\.{_HEX}{{32}}"
    ),
    token(
        "onepassword-token", "1Password service account", "ops_eyJ", rf"{_B64}{{200,2000}}={{0,3}}"
    ),
    token(
        "onepassword-secret-key",
        "1Password secret key",
        "A3-",
        r"[A-Z0-9]{6}-(?:[A-Z0-9]{6}-[A-Z0-9]{5}|[A-Z0-9]{11})(?:-[A-Z0-9]{5}){3}",
    ),
    token(
        "tailscale-key", "Tailscale key", "tskey-", rf"[a-z]{{3,12}}-{_AN}{{8,24}}-{_AN}{{16,40}}"
    ),
    token("ngrok-key", "ngrok API key", "ak_", r"2[A-Za-z0-9]{26}(?![A-Za-z0-9])"),
    token("teleport-token", "Teleport Cloud token", "tpc_", rf"{_AN_}{{32,64}}"),
    named(
        "kubernetes-client-key",
        "Kubernetes client key",
        "client-key-data",
        rf"{_B64}{{100,8000}}={{0,2}}",
    ),
)
