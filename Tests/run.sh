#!/usr/bin/env bash
# Runs tests: prints how far they have come, and in the end what failed. All that they print, thousands of lines, goes to
# a file.
#
#   run.sh LOG COMMAND [ARGUMENT …]
set -uo pipefail
log=$1
shift
echo "$* > $log"
"$@" 2>&1 | tee "$log" | awk '
    /^(✔|━|✘) Test run with/ { print; next }
    /^◇ Test case / { if (++begun % 1000 == 0) { print begun " cases of tests have begun"; fflush() } }
    /^✔ Test /     { if (++passed % 100 == 0) { print passed " tests have passed"; fflush() } }
    /^✘ Test .* recorded an issue/ { if (++issues <= 20) { print substr($0, 1, 300); fflush() } }'
status=$?
[ $status = 0 ] && exit 0

echo
echo "What failed ($log has the rest):"
if grep -a -q '^✘.* recorded an issue' "$log"; then
    grep -a -A 40 '^✘.* recorded an issue' "$log" | grep -a -v -E '^(◇|✔|⎙|━)' | cut -c 1-400 | head -n 300
else
    # Not a test: a crash, or the command itself.
    tail -n 60 "$log" | cut -c 1-400
fi
grep -a -E '^error: |Fatal error|unexpected signal' "$log" | cut -c 1-400 | tail -n 10
tail -n 1 "$log"
exit $status
