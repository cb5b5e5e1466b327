"""Keys of monitoring, analytics and incident services."""

from snaphook.scrub.rule import SecretRule, named, token

_HEX = "[a-f0-9]"
_AN = "[A-Za-z0-9]"
_AN_ = "[A-Za-z0-9_-]"
_UUID = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"

WATCH: tuple[SecretRule, ...] = (
    named(
        "datadog-key",
        "Datadog key",
        "datadog dd_api dd_app dd-api dd-application",
        rf"{_HEX}{{32}}(?:{_HEX}{{8}})?",
    ),
    token("datadog-app-token", "Datadog application token", "ddapp_", rf"{_AN}{{34}}"),
    token("newrelic-user-key", "New Relic user key", "NRAK-", r"[A-Z0-9]{27}"),
    token("newrelic-insert-key", "New Relic insert key", "NRII-", rf"{_AN_}{{32}}"),
    token("newrelic-browser-key", "New Relic browser key", "NRJS-", rf"{_HEX}{{19}}"),
    token("newrelic-rest-key", "New Relic REST key", "NRRA-", rf"{_HEX}{{42}}"),
    named(
        "newrelic-license-key", "New Relic licence key", "new_relic newrelic", rf"{_HEX}{{36}}NRAL"
    ),
    token("grafana-cloud-token", "Grafana Cloud token", "glc_", r"[A-Za-z0-9+/]{32,400}={0,3}"),
    token(
        "grafana-service-token",
        "Grafana service account",
        "glsa_",
        rf"{_AN}{{32}}_[A-Fa-f0-9]{{8}}",
    ),
    token("grafana-legacy-key", "Grafana legacy key", "eyJrIjoi", rf"{_AN}{{60,400}}={{0,3}}"),
    token("honeycomb-key", "Honeycomb key", "hcaik_", r"[a-z0-9]{58}"),
    token("honeycomb-management-key", "Honeycomb management key", "hcamk_", r"[a-z0-9]{58}"),
    named("honeycomb-legacy-key", "Honeycomb legacy key", "honeycomb", rf"{_HEX}{{32}}"),
    token("dynatrace-token", "Dynatrace token", "dt0c01.", r"[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    token(
        "dynatrace-platform-token",
        "Dynatrace platform token",
        "dt0s16.",
        r"[A-Z0-9]{8}\.[A-Z0-9]{64}",
    ),
    named("splunk-token", "Splunk token", "splunk", _UUID),
    named(
        "elastic-key", "Elastic key", "elastic_api elastic_cloud", r"[A-Za-z0-9+/_-]{50,80}={0,2}"
    ),
    named("rollbar-token", "Rollbar token", "rollbar", rf"{_HEX}{{32}}"),
    named("bugsnag-key", "Bugsnag key", "bugsnag", rf"{_HEX}{{32}}"),
    named("airbrake-key", "Airbrake key", "airbrake", rf"{_HEX}{{32}}"),
    named("honeybadger-key", "Honeybadger key", "honeybadger", rf"{_AN}{{16,40}}", entropy=3.2),
    token(
        "sentry-org-token", "Sentry organisation token", "sntrys_", r"eyJ[A-Za-z0-9+/=_]{80,400}"
    ),
    token("sentry-user-token", "Sentry user token", "sntryu_", rf"{_HEX}{{64}}"),
    named("sentry-token", "Sentry token", "sentry_auth", rf"{_HEX}{{64}}"),
    token("posthog-personal-key", "PostHog personal key", "phx_", rf"{_AN}{{40,60}}"),
    token("posthog-project-key", "PostHog project key", "phc_", rf"{_AN}{{40,60}}"),
    named("segment-key", "Segment key", "segment_write segment_api", rf"{_AN}{{32}}", entropy=3.5),
    named("amplitude-secret", "Amplitude secret", "amplitude", rf"{_HEX}{{32}}"),
    named("mixpanel-secret", "Mixpanel secret", "mixpanel", rf"{_HEX}{{32}}"),
    named(
        "logtail-token", "Better Stack token", "logtail betterstack", rf"{_AN}{{24}}", entropy=3.5
    ),
    named("loggly-token", "Loggly token", "loggly", _UUID),
    named("logdna-key", "LogDNA key", "logdna mezmo", rf"{_HEX}{{32}}"),
    named("papertrail-token", "Papertrail token", "papertrail", rf"{_AN}{{20}}", entropy=3.2),
    named("sumologic-key", "Sumo Logic key", "sumologic sumo_access", rf"{_AN}{{64}}", entropy=3.5),
    named("lightstep-token", "Lightstep token", "lightstep", rf"{_AN}{{80,110}}", entropy=3.5),
    token("axiom-token", "Axiom API token", "xaat-", _UUID),
    token("axiom-personal-token", "Axiom personal token", "xapt-", _UUID),
    named("statuspage-key", "Statuspage key", "statuspage", _UUID),
    named("uptimerobot-key", "UptimeRobot key", "uptimerobot", rf"u[r]?\d{{6,7}}-{_HEX}{{24}}"),
    named("pingdom-token", "Pingdom token", "pingdom", rf"{_AN_}{{64,80}}", entropy=3.5),
    token("incident-key", "incident.io key", "inc_live_", rf"{_AN}{{32,64}}"),
    named("raygun-key", "Raygun key", "raygun", rf"{_AN}{{22}}", entropy=3.2),
    named("cronitor-key", "Cronitor key", "cronitor", rf"{_HEX}{{32}}"),
    token("checkly-key", "Checkly key", "cu_", rf"{_HEX}{{32}}"),
)
