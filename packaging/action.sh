#!/usr/bin/env bash
# The GitHub Action: run what was asked for, write a summary, comment it, fail if anything failed.
set -uo pipefail
report=$(mktemp)
failed=0

step() { # title, command…
  local title=$1 output
  shift
  if output=$("$@" 2>&1); then
    printf '**%s**: passed\n\n' "$title" >>"$report"
  else
    failed=1
    printf '**%s**: failed\n\n```text\n%s\n```\n\n' "$title" "${output//\`\`\`/\'\'\'}" >>"$report"
  fi
  printf '%s\n%s\n' "$title" "$output"
}

[ "${SNAPHOOK_CHECK:-}" != true ] || step 'snaphook check' snaphook check
[ "${SNAPHOOK_GATES:-}" != true ] || step 'snaphook gates' snaphook gates
[ "${SNAPHOOK_AUDIT:-}" != true ] || step 'snaphook audit verify' snaphook audit verify

[ -z "${GITHUB_STEP_SUMMARY:-}" ] || cat "$report" >>"$GITHUB_STEP_SUMMARY"
if [ "${SNAPHOOK_COMMENT:-}" = true ] && [ -n "${PULL_REQUEST:-}" ]; then
  gh pr comment "$PULL_REQUEST" --repo "$GITHUB_REPOSITORY" --edit-last --create-if-none --body-file "$report" ||
    echo "::warning::The result could not be commented. Give the job the permission 'pull-requests: write'."
fi
exit "$failed"
