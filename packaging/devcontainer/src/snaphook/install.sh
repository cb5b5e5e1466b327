#!/bin/sh
# Installs into an environment of its own, so that the project's Python stays as it is.
set -eu
if ! command -v python3 >/dev/null; then
  echo "snaphook feature: python3 is not installed. Use an image or a feature that has Python 3.11 or newer." >&2
  exit 1
fi
case ${VERSION:-latest} in
  latest) wanted=snaphook ;;
  *) wanted="snaphook==$VERSION" ;;
esac
python3 -m venv /opt/snaphook
/opt/snaphook/bin/pip install --quiet --no-cache-dir "$wanted"
ln -sf /opt/snaphook/bin/snaphook /opt/snaphook/bin/snaphook-hook /usr/local/bin/
