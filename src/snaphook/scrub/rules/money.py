"""Keys of payment and commerce services."""

from snaphook.scrub.rule import SecretRule, named, token

_HEX = "[a-f0-9]"
_AN = "[A-Za-z0-9]"
_AN_ = "[A-Za-z0-9_-]"
_UUID = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"

MONEY: tuple[SecretRule, ...] = (
    token("stripe-live-key", "Stripe, Clerk or Paystack live key", "sk_live_", rf"{_AN}{{10,247}}"),
    token("stripe-test-key", "Stripe, Clerk or Paystack test key", "sk_test_", rf"{_AN}{{10,247}}"),
    token("stripe-restricted-key", "Stripe restricted key", "rk_live_", rf"{_AN}{{10,247}}"),
    token("stripe-restricted-test", "Stripe restricted test key", "rk_test_", rf"{_AN}{{10,247}}"),
    token(
        "stripe-webhook-secret",
        "Stripe or Svix webhook secret",
        "whsec_",
        r"[A-Za-z0-9+/]{24,64}={0,2}",
    ),
    token(
        "paypal-braintree-token",
        "Braintree token",
        "access_token$production$",
        rf"[a-z0-9]{{16}}\${_HEX}{{32}}",
    ),
    token(
        "braintree-sandbox-token",
        "Braintree sandbox token",
        "access_token$sandbox$",
        rf"[a-z0-9]{{16}}\${_HEX}{{32}}",
    ),
    named("paypal-secret", "PayPal secret", "paypal", r"E[A-Za-z0-9_-]{79}"),
    token("square-access-token", "Square access token", "EAAA", r"[A-Za-z0-9+/=_-]{60}"),
    token("square-token", "Square token", "sq0atp-", rf"{_AN_}{{22}}"),
    token("square-secret", "Square secret", "sq0csp-", rf"{_AN_}{{43}}"),
    named("adyen-key", "Adyen key", "adyen", r"AQE[\w.*+/=-]{60,240}"),
    token("razorpay-key", "Razorpay live key", "rzp_live_", rf"{_AN}{{14,24}}"),
    token("razorpay-test-key", "Razorpay test key", "rzp_test_", rf"{_AN}{{14,24}}"),
    token("flutterwave-secret", "Flutterwave secret", "FLWSECK-", rf"{_AN}{{32}}-X"),
    token(
        "flutterwave-test-secret",
        "Flutterwave test secret",
        "FLWSECK_TEST-",
        rf"{_AN}{{12,34}}(?:-X)?",
    ),
    token("plaid-access-token", "Plaid access token", "access-production-", _UUID),
    token("plaid-sandbox-token", "Plaid sandbox token", "access-sandbox-", _UUID),
    token("plaid-development-token", "Plaid development token", "access-development-", _UUID),
    named("plaid-secret", "Plaid secret", "plaid", rf"{_HEX}{{30}}"),
    named("coinbase-secret", "Coinbase secret", "coinbase", rf"{_AN_}{{64}}", entropy=3.5),
    token("shopify-token", "Shopify access token", "shpat_", r"[a-fA-F0-9]{32}"),
    token("shopify-custom-token", "Shopify custom app token", "shpca_", r"[a-fA-F0-9]{32}"),
    token("shopify-private-token", "Shopify private app token", "shppa_", r"[a-fA-F0-9]{32}"),
    token("shopify-secret", "Shopify shared secret", "shpss_", r"[a-fA-F0-9]{32}"),
    named("gocardless-token", "GoCardless token", "gocardless", rf"live_{_AN_}{{40}}"),
    named("mollie-key", "Mollie key", "mollie", rf"(?:live|test)_{_AN}{{30}}"),
    token("checkout-key", "Checkout.com key", "sk_sbox_", r"[a-z0-9=*$#]{26,40}"),
    token("paddle-key", "Paddle key", "pdl_live_apikey_", r"\w{40,80}"),
    token("paddle-sandbox-key", "Paddle sandbox key", "pdl_sdbx_apikey_", r"\w{40,80}"),
    token("easypost-key", "EasyPost key", "EZAK", rf"{_AN}{{54}}"),
    token("easypost-test-key", "EasyPost test key", "EZTK", rf"{_AN}{{54}}"),
    token("shippo-key", "Shippo key", "shippo_live_", rf"{_HEX}{{40}}"),
    token("shippo-test-key", "Shippo test key", "shippo_test_", rf"{_HEX}{{40}}"),
    token("duffel-token", "Duffel token", "duffel_live_", rf"{_AN_}{{43}}"),
    token("duffel-test-token", "Duffel test token", "duffel_test_", rf"{_AN_}{{43}}"),
    named("lob-key", "Lob key", "lob_api", rf"(?:live|test)_{_HEX}{{35}}"),
    token("brex-token", "Brex token", "bxt_", rf"{_AN}{{36,60}}"),
    token("polar-token", "Polar token", "polar_oat_", rf"{_AN}{{32,60}}"),
    named("recurly-key", "Recurly key", "recurly", rf"{_HEX}{{32}}"),
    named("chargebee-key", "Chargebee key", "chargebee", rf"(?:live|test)_{_AN}{{32,64}}"),
)
