#!/usr/bin/env bash
# Debian's headless Chromium, PostgreSQL, bubblewrap, nginx and HAProxy, which some tests need. Where they cannot be installed, those tests
# are skipped and say so.
set -euo pipefail

# nginx and HAProxy only read configurations and carry a few requests: they are unpacked (3 MB), not installed, so that
# no service is started.
unpacked="$PWD/.venv/debian"
proxies=()
for program in nginx haproxy; do
  [[ -x /usr/sbin/$program || -x $unpacked/usr/sbin/$program ]] || command -v "$program" >/dev/null || proxies+=("$program")
done
unpack_proxies() {
  local folder packages
  folder="$(mktemp -d)"
  packages="$(apt-get install --simulate --no-install-recommends "${proxies[@]}" | awk '/^Inst/ { print $2 }')"
  (cd "$folder" && apt-get download -qq $packages && for file in *.deb; do dpkg-deb --extract "$file" "$unpacked"; done)
  rm -rf "$folder"
}
if ((${#proxies[@]})) && command -v apt-get >/dev/null; then
  if [[ $(id -u) == 0 ]]; then apt-get update -qq || true; fi
  unpack_proxies >/dev/null 2>&1 || echo "Tests of ${proxies[*]} will be skipped; install with: sudo apt-get install ${proxies[*]}"
fi

missing=()
command -v bwrap >/dev/null || missing+=(bubblewrap)
command -v chromium-headless-shell >/dev/null || missing+=(chromium-headless-shell)
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
