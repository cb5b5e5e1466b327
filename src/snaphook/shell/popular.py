"""Packages that so many projects use that their names say nothing new, and that others imitate.

registry  ->  names

Chosen by hand from the most downloaded packages of PyPI, npm, crates.io and RubyGems, and the commonest
system packages, in November 2026. Nothing of it is copied from a published list.
"""

from collections.abc import Mapping

_PYTHON = """
    aiohttp alembic anthropic anyio asyncpg attrs bandit beautifulsoup4 black bokeh boto3 botocore
    bs4 build cachetools celery certifi cffi charset-normalizer click colorama coverage cryptography
    cython dask django django-cors-headers djangorestframework docutils elasticsearch faker fastapi
    filelock flake8 flask flask-cors flask-sqlalchemy fsspec geopandas gevent gitpython
    google-cloud-storage graphene greenlet grpcio gunicorn h11 httpcore httpx huggingface-hub
    hypothesis idna importlib-metadata ipykernel ipython isort itsdangerous jinja2 jsonschema
    jupyter jupyterlab keras kubernetes langchain lightgbm litellm loguru lxml markdown markupsafe
    marshmallow matplotlib mccabe mkdocs mongoengine msgspec mypy nbconvert networkx nltk nose
    notebook numba numpy openai opencv-python openpyxl opentelemetry-api orjson packaging pandas
    pandas-stubs paramiko parso passlib pexpect pillow pip pipenv platformdirs playwright plotly
    pluggy poetry polars pre-commit prometheus-client prompt-toolkit protobuf psutil psycopg
    psycopg2 psycopg2-binary pyarrow pyasn1 pyasn1-modules pycparser pydantic pydantic-settings
    pygments pyinstaller pyjwt pylint pymongo pymupdf pymysql pyopenssl pyparsing pyserial pytest
    pytest-asyncio pytest-cov pytest-mock pytest-xdist python-dateutil python-dotenv python-jose
    python-multipart pytz pyyaml rasterio redis regex requests rich ruff s3fs s3transfer
    scikit-learn scipy scrapy seaborn selenium sentencepiece sentry-sdk setuptools shapely six
    slack-sdk spacy sphinx sqlalchemy sqlmodel starlette streamlit structlog sympy tabulate tenacity
    tensorboard tensorflow tiktoken tokenizers toml tomli torch torchvision tornado tox tqdm
    transformers trio twine twisted typer types-requests typing-extensions tzdata ujson urllib3 uv
    uvicorn uvloop virtualenv watchdog websockets werkzeug wheel wrapt xgboost xlsxwriter yapf yarl
    zipp zstandard
"""
_NODE = """
    @angular/core @babel/core @babel/preset-env @emotion/react @eslint/js @mui/material @nestjs/core
    @prisma/client @reduxjs/toolkit @sveltejs/kit @tanstack/react-query @testing-library/react
    @types/express @types/node @types/react @vitejs/plugin-react ajv angular antd apollo-server
    async autoprefixer axios babel-jest bcrypt bcryptjs bluebird body-parser bootstrap browserify
    chalk chart.js cheerio classnames colors commander concurrently cookie-parser cors
    create-next-app create-react-app create-vite cross-env crypto-js css-loader cypress d3 date-fns
    dayjs debug discord.js dotenv drizzle-orm ejs electron esbuild eslint eslint-config-prettier
    eslint-plugin-react event-stream execa express fastify file-loader framer-motion fs-extra gatsby
    glob got graphql grunt gulp handlebars helmet html-webpack-plugin http-proxy husky immer
    inquirer ioredis jest jquery js-yaml jsdom jsonwebtoken knex koa less lint-staged lodash
    lucide-react marked minimist mkdirp mocha moment mongodb mongoose morgan multer mysql2 nanoid
    next next-auth node-fetch node-sass nodemailer nodemon npm-run-all nuxt ora p-limit parcel
    passport pg pino pm2 postcss prettier prisma prop-types puppeteer qs query-string ramda react
    react-dom react-hook-form react-native react-query react-redux react-router react-router-dom
    readable-stream redux request rimraf rollup rxjs sass semver sequelize serve sharp shelljs sinon
    socket.io socket.io-client source-map-support storybook style-loader styled-components stylus
    supertest svelte swr tailwindcss terser three through2 ts-jest ts-loader ts-node tslib tsx turbo
    typeorm typescript underscore uuid validator vite vitest vue vue-router vuetify vuex webpack
    webpack-cli winston ws xml2js yargs yarn yup zod zustand
"""
_RUST = """
    actix-web anyhow async-trait axum bitflags bytes chrono clap crossbeam diesel futures hashbrown
    hyper indexmap itertools lazy_static libc log once_cell parking_lot proc-macro2 quote rand rayon
    regex reqwest rocket serde serde_json sqlx syn tempfile thiserror tokio toml tower tracing url
    uuid warp
"""
_RUBY = """
    activerecord bundler capybara devise faker jekyll minitest nokogiri pry puma rack rails rake
    rspec rubocop sidekiq sinatra
"""
_SYSTEM = """
    alpine bash build-essential bun busybox ca-certificates clang cmake curl debian docker docker.io
    ffmpeg gcc gh git gnupg go golang graphviz hello-world htop jq libpq-dev libssl-dev make mongo
    mysql nginx ninja-build node nodejs npm openssh-client openssl pkg-config pnpm postgres
    postgresql postgresql-client python python3 python3-dev python3-pip python3-venv rabbitmq redis
    ripgrep rsync rust sqlite3 sudo tmux tree ubuntu unzip vim wget yarn zip zlib1g-dev
"""
BY_REGISTRY: Mapping[str, frozenset[str]] = {
    "pypi": frozenset(_PYTHON.split()),
    "npm": frozenset(_NODE.split()),
    "crates": frozenset(_RUST.split()),
    "rubygems": frozenset(_RUBY.split()),
}
POPULAR = frozenset((*_SYSTEM.split(), *(name for names in BY_REGISTRY.values() for name in names)))
"""All of them, system packages and images included."""
