#!/usr/bin/env bash
# Takes a picture of a page as a browser shows it, 1280 x 800, for the README.
# Usage: page-png.sh FILE.html|ADDRESS PICTURE.png [light|dark]
set -euo pipefail
page=$1
[[ $page == *://* ]] || page=file://$(readlink -f "$page")
profile=$(mktemp -d)
trap 'rm -rf "$profile"' EXIT
scheme=1
[[ ${3:-light} == dark ]] && scheme=0
chromium --headless=new --no-sandbox --hide-scrollbars --user-data-dir="$profile" --window-size=1280,800 \
  --blink-settings=preferredColorScheme=$scheme --timeout=5000 --screenshot="$(readlink -f "$2")" "$page" >/dev/null 2>&1
