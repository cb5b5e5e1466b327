"""Keys of the tools people plan, write and design with."""

from snaphook.scrub.rule import SecretRule, named, pattern, token

_HEX = "[a-f0-9]"
_AN = "[A-Za-z0-9]"
_AN_ = "[A-Za-z0-9_-]"
_UUID = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"

WORK: tuple[SecretRule, ...] = (
    token("atlassian-token", "Atlassian token", "ATATT3xFfGF0", r"[\w=-]{100,250}"),
    named(
        "jira-token", "Jira legacy token", "jira atlassian confluence", rf"{_AN}{{24}}", entropy=3.5
    ),
    token("linear-key", "Linear key", "lin_api_", rf"{_AN}{{40}}"),
    token("linear-oauth", "Linear OAuth token", "lin_oauth_", rf"{_AN}{{40,64}}"),
    named("linear-secret", "Linear client secret", "linear_client", rf"{_HEX}{{32}}"),
    pattern(
        "asana-token",
        "Asana token",
        ("asana",),
        r"(?i:asana)[\w.\-]{0,40}[\"']?\s{0,8}[:=]\s{0,8}[\"']?(\d/\d{10,20}(?:/\d{10,20})?:[a-f0-9]{32})",
    ),
    token("notion-token", "Notion token", "ntn_", rf"{_AN}{{40,50}}"),
    token("notion-legacy-token", "Notion legacy token", "secret_", rf"{_AN}{{43}}(?!{_AN})"),
    token("airtable-token", "Airtable token", "pat", rf"{_AN}{{14}}\.{_HEX}{{64}}"),
    named("airtable-key", "Airtable legacy key", "airtable", rf"key{_AN}{{14}}"),
    token("figma-token", "Figma token", "figd_", rf"{_AN_}{{38,46}}"),
    token("figma-oauth", "Figma OAuth token", "figo_", rf"{_AN_}{{38,46}}"),
    token("postman-key", "Postman key", "PMAK-", rf"{_HEX}{{24}}-{_HEX}{{34}}"),
    token("postman-team-token", "Postman team token", "PMAT-", r"[A-Z0-9]{26}"),
    token("readme-key", "ReadMe key", "rdme_", r"[a-z0-9]{70}"),
    named("shortcut-token", "Shortcut token", "shortcut clubhouse", _UUID),
    named(
        "trello-token",
        "Trello token",
        "trello",
        rf"{_HEX}{{64}}|ATTA[a-zA-Z0-9]{{72}}|{_HEX}{{32}}",
    ),
    token("trello-api-token", "Trello API token", "ATTA", rf"{_AN}{{72}}"),
    token("clickup-token", "ClickUp token", "pk_", r"\d{6,9}_[A-Z0-9]{32}"),
    named(
        "monday-token",
        "monday.com token",
        "monday",
        r"eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}",
    ),
    token("launchdarkly-sdk-key", "LaunchDarkly SDK key", "sdk-", _UUID),
    named("launchdarkly-api-key", "LaunchDarkly API key", "launchdarkly", rf"api-{_UUID}"),
    token("launchdarkly-mobile-key", "LaunchDarkly mobile key", "mob-", _UUID),
    token("contentful-token", "Contentful token", "CFPAT-", rf"{_AN_}{{43}}"),
    named("contentful-key", "Contentful delivery key", "contentful", rf"{_AN_}{{43}}", entropy=3.5),
    named("sanity-token", "Sanity token", "sanity", rf"sk{_AN}{{80,200}}"),
    named("algolia-key", "Algolia key", "algolia", rf"{_HEX}{{32}}"),
    token(
        "mapbox-token",
        "Mapbox secret token",
        "sk.eyJ",
        r"[A-Za-z0-9_-]{40,160}\.[A-Za-z0-9_-]{20,30}",
    ),
    token(
        "mapbox-public-token",
        "Mapbox public token",
        "pk.eyJ",
        r"[A-Za-z0-9_-]{40,160}\.[A-Za-z0-9_-]{20,30}",
    ),
    pattern(
        "cloudinary-url",
        "Cloudinary URL",
        ("cloudinary://",),
        r"(?i:cloudinary)://\d{10,20}:([\w-]{20,40})@",
    ),
    token("typeform-token", "Typeform token", "tfp_", r"[A-Za-z0-9_.=-]{40,64}"),
    named(
        "calendly-token",
        "Calendly token",
        "calendly",
        r"eyJ[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}\.[A-Za-z0-9_-]{20,}",
    ),
    token("dropbox-token", "Dropbox token", "sl.", rf"{_AN_}{{130,1200}}"),
    named("dropbox-secret", "Dropbox secret", "dropbox", r"[a-z0-9]{15}", entropy=3.0),
    named("box-token", "Box token", "box_developer box_client", rf"{_AN}{{32}}", entropy=3.5),
    token("prefect-token", "Prefect token", "pnu_", rf"{_AN}{{36}}"),
    token("prefect-service-token", "Prefect service token", "pnb_", rf"{_AN}{{36}}"),
    token("dbt-token", "dbt Cloud token", "dbtc_", rf"{_AN_}{{40,60}}"),
    token("dbt-user-token", "dbt Cloud user token", "dbtu_", rf"{_AN_}{{40,60}}"),
    token("retool-token", "Retool token", "retool_", r"[A-Za-z0-9_]{26,40}", entropy=3.5),
    token("coda-token", "Coda token", "coda_", rf"{_AN_}{{32,40}}", entropy=3.5),
    token("apify-token", "Apify token", "apify_api_", rf"{_AN}{{36,46}}"),
    token("browserbase-key", "Browserbase key", "bb_live_", rf"{_AN_}{{26,40}}"),
    token("zuplo-key", "Zuplo key", "zpka_", rf"{_AN}{{32}}_{_HEX}{{8}}"),
    token("frameio-token", "Frame.io token", "fio-u-", r"[A-Za-z0-9_=-]{64}"),
)
