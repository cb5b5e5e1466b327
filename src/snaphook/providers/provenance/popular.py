"""Packages that so many projects use that a page which names one tells nothing new.

A name from a page is asked about because whoever wrote the page may own the package. Nobody who writes
a page owns these. Chosen by hand from the most downloaded packages of PyPI and npm, and the
commonest system packages, in November 2026.
"""

_POPULAR_TEXT = """
    aiohttp alembic anthropic anyio attrs black boto3 botocore build celery certifi cffi
    charset-normalizer click coverage cryptography cython django djangorestframework docutils
    fastapi filelock flake8 flask fsspec greenlet grpcio gunicorn h11 httpcore httpx
    huggingface-hub hypothesis idna importlib-metadata ipython isort jinja2 jsonschema jupyter
    keras langchain litellm lxml markdown markupsafe matplotlib mccabe mkdocs msgspec mypy
    networkx nltk nose notebook numpy openai opencv-python opentelemetry-api orjson packaging
    pandas paramiko parso pexpect pillow pip pipenv platformdirs playwright pluggy poetry
    pre-commit prometheus-client protobuf psutil psycopg psycopg2 psycopg2-binary pyarrow pyasn1
    pycparser pydantic pydantic-settings pygments pyjwt pylint pymongo pymysql pyopenssl
    pyparsing pytest pytest-asyncio pytest-cov pytest-mock pytest-xdist python-dateutil
    python-dotenv pytz pyyaml redis regex requests rich ruff s3fs scikit-learn scipy seaborn
    selenium sentry-sdk setuptools shapely six sphinx sqlalchemy starlette structlog sympy
    tenacity tensorflow tiktoken tokenizers toml tomli torch torchvision tornado tox tqdm
    transformers trio twine typer types-requests typing-extensions tzdata ujson urllib3 uv
    uvicorn uvloop virtualenv watchdog websockets werkzeug wheel wrapt xgboost yarl zipp
    beautifulsoup4 bs4 gitpython openpyxl @angular/core @babel/core @babel/preset-env
    @emotion/react @eslint/js @mui/material @nestjs/core @prisma/client @reduxjs/toolkit
    @sveltejs/kit @tanstack/react-query @testing-library/react @types/node @types/react
    @vitejs/plugin-react angular antd autoprefixer axios babel-jest bcrypt bcryptjs body-parser
    bootstrap chalk chart.js classnames commander concurrently cors cross-env crypto-js cypress
    d3 date-fns dayjs debug dotenv drizzle-orm electron esbuild eslint eslint-config-prettier
    express fastify framer-motion fs-extra glob graphql helmet husky immer inquirer ioredis jest
    jquery jsonwebtoken koa lint-staged lodash lucide-react mocha moment mongodb mongoose morgan
    multer mysql2 nanoid next next-auth nodemon nuxt ora p-limit passport pg pino postcss
    prettier prisma prop-types puppeteer query-string react react-dom react-hook-form
    react-query react-redux react-router react-router-dom redux rimraf rollup rxjs sass semver
    serve sharp sinon socket.io socket.io-client storybook styled-components supertest svelte
    swr tailwindcss terser three ts-jest ts-node tslib tsx turbo typescript underscore uuid vite
    vitest vue vue-router vuex webpack webpack-cli winston ws yargs yup zod zustand
    create-react-app create-next-app create-vite anyhow async-trait bytes chrono clap futures
    hyper itertools libc log once_cell rand rayon reqwest serde serde_json thiserror tokio
    tracing rails rake rspec rubocop bundler sinatra puma nokogiri bash build-essential
    ca-certificates clang cmake curl docker docker.io ffmpeg gcc gh git gnupg golang graphviz
    htop jq libpq-dev libssl-dev make nginx ninja-build nodejs npm openssh-client openssl
    pkg-config postgresql postgresql-client python3 python3-dev python3-pip python3-venv ripgrep
    rsync sqlite3 sudo tmux tree unzip vim wget zip zlib1g-dev node python go rust yarn pnpm bun
    alpine debian ubuntu postgres redis mysql mongo rabbitmq busybox hello-world
"""
POPULAR = frozenset(_POPULAR_TEXT.split())
