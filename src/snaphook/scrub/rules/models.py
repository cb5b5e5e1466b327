"""Keys of model providers and the services around them."""

from snaphook.scrub.rule import SecretRule, named, token

_HEX = "[a-f0-9]"
_AN = "[A-Za-z0-9]"
_AN_ = "[A-Za-z0-9_-]"
_UUID = "[a-f0-9]{8}(?:-[a-f0-9]{4}){3}-[a-f0-9]{12}"

MODELS: tuple[SecretRule, ...] = (
    token("anthropic-api-key", "Anthropic API key", "sk-ant-api", rf"\d\d-{_AN_}{{20,200}}"),
    token("anthropic-admin-key", "Anthropic admin key", "sk-ant-admin", rf"\d\d-{_AN_}{{20,200}}"),
    token("anthropic-oauth", "Anthropic OAuth token", "sk-ant-oat", rf"\d\d-{_AN_}{{20,200}}"),
    token("anthropic-session", "Anthropic session key", "sk-ant-sid", rf"\d\d-{_AN_}{{20,200}}"),
    token("openai-project-key", "OpenAI project key", "sk-proj-", rf"{_AN_}{{20,200}}"),
    token("openai-service-key", "OpenAI service account key", "sk-svcacct-", rf"{_AN_}{{20,200}}"),
    token("openai-admin-key", "OpenAI admin key", "sk-admin-", rf"{_AN_}{{20,200}}"),
    token("openrouter-key", "OpenRouter key", "sk-or-v1-", rf"{_HEX}{{64}}"),
    token("helicone-key", "Helicone key", "sk-helicone-", rf"{_AN_}{{20,80}}"),
    token("langfuse-secret-key", "Langfuse secret key", "sk-lf-", _UUID),
    token("openai-key", "OpenAI or DeepSeek key", "sk-", rf"{_AN}{{20,64}}"),
    token("huggingface-token", "Hugging Face token", "hf_", rf"{_AN}{{34,40}}"),
    token("huggingface-org-token", "Hugging Face organisation token", "api_org_", rf"{_AN}{{34}}"),
    token("replicate-token", "Replicate token", "r8_", rf"{_AN}{{37,40}}"),
    token("groq-key", "Groq key", "gsk_", rf"{_AN}{{48,56}}"),
    token("xai-key", "xAI key", "xai-", rf"{_AN}{{70,90}}"),
    token("perplexity-key", "Perplexity key", "pplx-", rf"{_AN}{{40,64}}"),
    token("fireworks-key", "Fireworks key", "fw_", rf"{_AN}{{22,32}}", entropy=3.0),
    token("nvidia-key", "NVIDIA NIM key", "nvapi-", rf"{_AN_}{{60,70}}"),
    token("cerebras-key", "Cerebras key", "csk-", rf"{_AN}{{40,56}}"),
    token("elevenlabs-key", "ElevenLabs key", "sk_", rf"{_HEX}{{48}}"),
    token("langsmith-token", "LangSmith personal token", "lsv2_pt_", rf"{_HEX}{{32}}_{_HEX}{{10}}"),
    token("langsmith-key", "LangSmith service key", "lsv2_sk_", rf"{_HEX}{{32}}_{_HEX}{{10}}"),
    token("pinecone-key", "Pinecone key", "pcsk_", r"[A-Za-z0-9_]{50,80}"),
    token("tavily-key", "Tavily key", "tvly-", rf"(?:dev-|prod-)?{_AN_}{{24,44}}"),
    token("firecrawl-key", "Firecrawl key", "fc-", rf"{_HEX}{{32}}"),
    token("voyage-key", "Voyage AI key", "pa-", rf"{_AN_}{{43}}", entropy=4.0),
    token("jina-key", "Jina AI key", "jina_", rf"{_AN_}{{50,70}}"),
    token("anyscale-key", "Anyscale key", "esecret_", rf"{_AN}{{24,32}}"),
    token("e2b-key", "E2B key", "e2b_", rf"{_HEX}{{40}}"),
    token("together-key", "Together AI key", "tgp_v1_", rf"{_AN_}{{40,60}}"),
    token("wandb-key", "Weights & Biases key", "wandb_v1_", r"[A-Za-z0-9_]{40,90}"),
    token("llamacloud-key", "LlamaCloud key", "llx-", rf"{_AN}{{40,60}}"),
    token("braintrust-key", "Braintrust key", "bt-st-", rf"{_AN}{{40,60}}"),
    named("wandb-api-key", "Weights & Biases API key", "wandb", rf"{_HEX}{{40}}"),
    named("mistral-key", "Mistral key", "mistral", rf"{_AN}{{32}}", entropy=3.5),
    named("cohere-key", "Cohere key", "cohere co_api_key", rf"{_AN}{{40}}", entropy=3.5),
    named("together-api-key", "Together AI API key", "together", rf"{_HEX}{{64}}"),
    named("assemblyai-key", "AssemblyAI key", "assemblyai assembly_ai", rf"{_HEX}{{32}}"),
    named("deepgram-key", "Deepgram key", "deepgram", rf"{_HEX}{{40}}"),
    named("stability-key", "Stability AI key", "stability", rf"sk-{_AN}{{48}}"),
    named("clarifai-key", "Clarifai key", "clarifai", rf"{_HEX}{{32}}"),
    named("ai21-key", "AI21 key", "ai21", rf"{_AN}{{32}}", entropy=3.5),
    named("exa-key", "Exa key", "exa_api", _UUID),
    named("lakera-key", "Lakera key", "lakera", rf"{_HEX}{{64}}"),
)
