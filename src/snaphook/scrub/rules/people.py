"""Keys of social networks, media services and identity providers."""

from snaphook.scrub.rule import SecretRule, named, token

_HEX = "[a-f0-9]"
_AN = "[A-Za-z0-9]"
_AN_ = "[A-Za-z0-9_-]"

PEOPLE: tuple[SecretRule, ...] = (
    token("facebook-token", "Facebook token", "EAAC", rf"{_AN}{{80,300}}"),
    token("facebook-page-token", "Facebook page token", "EAAM", rf"{_AN}{{80,300}}"),
    token("facebook-graph-token", "Facebook graph token", "EAAG", rf"{_AN}{{80,300}}"),
    named("facebook-secret", "Facebook secret", "facebook fb_app fb_secret", rf"{_HEX}{{32}}"),
    token("instagram-token", "Instagram token", "IGQV", rf"{_AN_}{{100,300}}"),
    token("twitter-bearer", "X bearer token", "AAAAAAAAAAAAAAAAAAAA", r"[A-Za-z0-9%]{60,140}"),
    named("twitter-secret", "X secret", "twitter", rf"{_AN}{{45,50}}", entropy=3.5),
    named("linkedin-secret", "LinkedIn secret", "linkedin", rf"{_AN}{{16}}", entropy=3.2),
    named("spotify-secret", "Spotify secret", "spotify", rf"{_HEX}{{32}}"),
    named("twitch-token", "Twitch token", "twitch", r"[a-z0-9]{30}", entropy=3.5),
    named("reddit-secret", "Reddit secret", "reddit", rf"{_AN_}{{27,30}}", entropy=3.5),
    named("flickr-secret", "Flickr secret", "flickr", rf"{_HEX}{{16}}(?:{_HEX}{{16}})?"),
    named("strava-secret", "Strava secret", "strava", rf"{_HEX}{{40}}"),
    named("tiktok-secret", "TikTok secret", "tiktok", rf"{_AN}{{32}}", entropy=3.5),
    named(
        "youtube-key", "YouTube stream key", "youtube_stream", r"[a-z0-9]{4}(?:-[a-z0-9]{4}){3,4}"
    ),
    named("okta-token", "Okta token", "okta", r"00[A-Za-z0-9_-]{40}"),
    named("auth0-secret", "Auth0 secret", "auth0", rf"{_AN_}{{64}}", entropy=3.5),
    named("onelogin-secret", "OneLogin secret", "onelogin", rf"{_HEX}{{64}}"),
    named("duo-secret", "Duo secret", "duo_", rf"{_AN}{{40}}", entropy=3.5),
    token("ory-token", "Ory access token", "ory_at_", r"[A-Za-z0-9_.-]{40,100}"),
    token("ory-pat", "Ory personal token", "ory_pat_", rf"{_AN}{{32}}"),
    token("stytch-secret", "Stytch secret", "secret-live-", rf"{_AN_}{{36}}="),
    token("stytch-test-secret", "Stytch test secret", "secret-test-", rf"{_AN_}{{36}}="),
    token("workos-key", "WorkOS key", "sk_a2V5", rf"{_AN}{{40,100}}"),
    named("keycloak-secret", "Keycloak secret", "keycloak", rf"{_AN}{{32}}", entropy=3.5),
)
