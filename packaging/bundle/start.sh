#!/bin/sh
# Starts the program of the bundle as the client's page of settings says. Clients hand on a setting that was left empty as an empty word or
# as the name of its place; neither says anything.
case "${PENSAER_BUNDLE_DATA_DIR-}" in
  "" | '${'*) ;;
  *) export PENSAER_DATA_DIR="$PENSAER_BUNDLE_DATA_DIR" ;;
esac
tools=
case "${PENSAER_BUNDLE_TOOLS-}" in
  "" | '${'* | usual) ;;
  *) tools="$PENSAER_BUNDLE_TOOLS" ;;
esac
unset PENSAER_BUNDLE_DATA_DIR PENSAER_BUNDLE_TOOLS
exec "$(dirname "$0")/pensaer" mcp ${tools:+"$tools"} "$@"
