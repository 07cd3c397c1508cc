# For the scripts in this folder: each runs a search under an engine for real, on this machine, and compares what 'merge' says with one
# machine's search. Sourced, with the name of the engine and the programs that it needs.
#
# THREADLAB is the program under test, by default the release build. A slow one may have less to do: LAST is how often the last thread
# of the searched program takes its lock, by default 4.

set -eu
ENGINE=$1
shift
ROOT=$(cd "$(dirname "$0")/../.." && pwd)
THREADLAB=${THREADLAB:-$ROOT/.build/release/threadlab}
export LC_ALL=C.UTF-8
for program in "$@"; do
    if ! PATH="$PATH:/usr/sbin:/sbin" command -v "$program" > /dev/null; then
        echo "$ENGINE: skipped, because $program is not installed"
        exit 0
    fi
done
PATH="$(dirname "$THREADLAB"):$PATH:/usr/sbin:/sbin"
WORK=$(mktemp -d "${TMPDIR:-/tmp}/threadlab-scale-XXXXXX")
cd "$WORK"

# A program with 34,650 orders, or fewer.
cat > orders.lab <<END
scenario "orders"
shared order = 0
mutex m
thread a { repeat 4 { lock m { order = order * 10 + 1 } } }
thread b { repeat 4 { lock m { order = order * 10 + 2 } } }
thread c { repeat ${LAST:-4} { lock m { order = order * 10 + 3 } } }
finally { assert order != 0 }
expect completes
END

divide() { # TASKS
    threadlab explore orders.lab --strategy dpor --time 10m > whole
    threadlab explore orders.lab --divide "$1" --to tasks --time 10m
}

compare() {
    threadlab work --merge tasks/*.result > joined
    cmp whole joined
    echo "$ENGINE: what is joined is what one machine finds: $(head -1 joined)"
}
