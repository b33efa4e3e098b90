#!/usr/bin/env bash
# Debian's chromium and PostgreSQL, which some tests need. Where they cannot be installed, those tests are skipped and say so.
set -euo pipefail

missing=()
command -v chromium >/dev/null || missing+=(chromium)
compgen -G "/usr/lib/postgresql/*/bin/initdb" >/dev/null || command -v initdb >/dev/null || missing+=(postgresql)
if ((${#missing[@]} == 0)); then exit 0; fi

if [[ $(id -u) != 0 ]] || ! command -v apt-get >/dev/null; then
  echo "Tests of ${missing[*]} will be skipped; install with: sudo apt-get install ${missing[*]}"
  exit 0
fi
echo "Installing ${missing[*]} for the tests ..."
export DEBIAN_FRONTEND=noninteractive
if ! (apt-get update -qq && apt-get install -qqy --no-install-recommends "${missing[@]}") >/dev/null; then
  echo "That failed; the tests of ${missing[*]} will be skipped."
fi
