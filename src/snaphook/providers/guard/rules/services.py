"""What other services keep for us: secrets, flags, queues, indexes, sites, tickets."""

from __future__ import annotations

from snaphook.providers.guard.judgement import GuardAnswer
from snaphook.providers.guard.rules.harm import harms, only_asks
from snaphook.providers.guard.rules.rule import Rule, RuleContext
from snaphook.providers.guard.rules.verbs import VerbKind, verb
from snaphook.shell.facts import Call, Span

_SERVICES = (
    # hosting and edge
    "heroku", "flyctl", "fly", "vercel", "now", "netlify", "railway", "render", "surge", "wrangler",
    "cloudflared", "flarectl", "fastly", "akamai", "firebase", "supabase", "amplify", "sst",
    "serverless", "sls", "sam", "convex", "turso", "neonctl", "neon", "pscale", "planetscale",
    "cloudflare", "deployctl", "dokku", "cf", "ngrok", "koyeb", "northflank", "zeit", "appwrite",
    "hasura", "nhost", "cockroach", "ccloud", "atlas", "mongocli", "influx", "confluent", "aiven",
    "avn", "eas", "expo", "shopify", "contentful", "sanity", "auth0", "okta", "clerk", "stytch",
    # secrets and identity
    "vault", "bao", "op", "doppler", "infisical", "chamber", "akeyless", "teller", "pass", "bw",
    "lpass", "conjur", "boundary", "teleport", "tctl", "tsh", "keyctl",
    # flags, monitoring, incidents
    "launchdarkly", "ldcli", "unleash", "flipt", "growthbook", "newrelic", "datadog-ci",
    "dog", "sentry-cli", "pd", "grafana-cli", "grafanactl", "promtool", "amtool", "logcli",
    "honeycomb", "splunk", "elastic", "ecctl", "curator", "opsgenie", "statuspage", "rollbar",
    # queues, search, gateways, DNS
    "nats", "rabbitmqctl", "rabbitmqadmin", "rpk", "kcat", "pulsar-admin", "mosquitto_ctrl",
    "algolia", "meilisearch", "typesense", "apigeecli", "deck", "kong", "tyk", "kongctl",
    "cloudflare-cli", "dnscontrol", "octodns-sync", "consul", "etcdctl", "zkCli.sh", "nomad",
    # money and mail
    "stripe", "square", "paypal", "braintree", "twilio", "sendgrid", "mailgun", "postmark", "plaid",
    # build services and code hosts
    "circleci", "travis", "bk", "buildkite-agent", "drone", "jenkins-cli", "gitlab-runner", "tea",
    "argocd", "flux", "tkn", "fluxctl", "spin", "waypoint", "harness", "semaphore", "bitrise",
    "jira", "linear", "acli", "hub",
)  # fmt: skip
_SPARED = harms(
    """
    vault kv|secrets|token|lease|policy|auth|audit list|get|lookup|read
    vault read|list|status|version|login|write|unwrap|operator
    pass show|ls|find|grep|git|generate|insert
    nats server|sub|pub|req|reply|bench|context
    supabase start|stop|init|login|link|gen|functions|db !--linked
    firebase emulators:*|serve|login|use|init
    serverless|sls invoke|info|logs|offline|package|print
    sam build|local|validate|package|init|logs
    wrangler dev|tail|whoami|types|login|pages|init
    heroku run|logs|ps|open|login
    argocd app diff|get|list|history|logs|manifests
    flux get|logs|check|reconcile|diff
    expo start|install|doctor
    etcdctl snapshot|endpoint|member
    """
)
_HARMS = harms(
    """
    vault kv metadata delete
    vault kv destroy|delete|undelete
    vault token revoke
    vault lease revoke
    vault secrets|auth|audit|policy disable|delete|move
    vault operator seal|step-down|rekey|generate-root
    vault delete
    supabase db reset
    supabase projects|branches|functions|secrets|orgs delete|unset
    firebase firestore:delete|hosting:disable|functions:delete|database:remove|projects:delete
    firebase apps:*delete|auth:*delete|remoteconfig:rollback|database:set
    heroku apps:destroy|pg:reset|addons:destroy|domains:remove|config:unset|pg:killall
    heroku apps:delete|pipelines:destroy|access:remove|releases:rollback|destroy|pg:promote|drains:remove
    vercel|now remove|rm|rollback
    vercel|now env|domains|dns|certs|secrets|alias|project rm|remove
    netlify sites:delete|env:unset
    deck reset
    deck gateway reset|sync
    deck sync
    gitlab-runner unregister
    splunk clean|remove
    stripe * delete|cancel|void
    stripe api_keys roll
    stripe refunds|payouts|transfers create
    serverless|sls|sam|sst|amplify remove|delete
    nomad job stop|purge
    nomad stop|system
    consul kv delete
    consul leave|force-leave
    etcdctl del
    argocd app delete|rollback|terminate-op
    rabbitmqctl delete_*|purge_queue|reset|force_reset|stop_app|stop|forget_cluster_node|clear_*
    rabbitmqctl shutdown|force_boot
    kafka-topics|kafka-topics.sh --delete
    kafka-consumer-groups|kafka-consumer-groups.sh --delete
    kafka-consumer-groups|kafka-consumer-groups.sh --reset-offsets !--dry-run
    kafka-configs|kafka-configs.sh --delete-config
    kafka-acls|kafka-acls.sh --remove
    kafka-delete-records|kafka-delete-records.sh
    cockroach sql|node decommission|drain
    op item|document|vault|user|group|connect delete|archive|edit
    auth0 * delete|rm
    convex data|env remove
    turso db destroy
    neonctl|neon projects|branches|databases|roles delete
    pscale database|branch|password delete
    jira issue delete
    hub delete
    gitlab-rails runner|console|dbconsole
    """
)


def objects_to(call: Call, _scene: RuleContext) -> Span | None:
    """Point at a call that deletes, disables or revokes something a service keeps.

    Asks: vault secrets disable secret/
    Asks: op item delete "Database Password"
    Asks: doppler secrets delete API_KEY --yes
    Asks: heroku apps:destroy my-app
    Asks: wrangler r2 bucket delete media
    Asks: supabase db reset
    Asks: nats stream purge ORDERS
    Asks: velero backup delete daily
    Asks: stripe customers delete cus_1
    Allows: vault token lookup
    Allows: vault kv list secret/
    Allows: wrangler dev
    Allows: wrangler kv:key list --namespace-id=1
    Allows: heroku logs --tail
    Allows: fly status
    Allows: netlify status
    Allows: doppler run -- npm start
    """
    if only_asks(call):
        return None
    if found := _HARMS.find(call):
        return found
    told = verb(call)
    if told is None or told[0] is not VerbKind.DESTROYS or _SPARED.find(call):
        return None
    return told[1].span


RULE = Rule(
    id="service.delete",
    answer=GuardAnswer.ASK,
    says="deletes or disables resources of a service",
    why="others may rely on it, and it may be irreversible",
    instead="list and get are allowed.",
    programs=tuple(dict.fromkeys((*_SERVICES, "velero", *_HARMS.programs))),
    objects_to=objects_to,
)
