#!/bin/bash
# GNU parallel: jobs on this machine, a kill and '--resume', and '--sshlogin' to this machine.
. "$(dirname "$0")/lib.sh" "GNU parallel" parallel
trap 'rm -rf "$WORK"' EXIT
divide 8

# The jobs are killed while they work; '--resume-failed' does what is not done, and 'work' continues where it was.
parallel --jobs 2 --joblog log 'threadlab work {}' ::: tasks/*.task &
JOBS=$!
while [ -z "$(ls tasks | grep 'result$')" ]; do :; done
kill -TERM $JOBS; kill -TERM $JOBS 2> /dev/null || true
wait $JOBS || true
echo "$ENGINE: killed with $(ls tasks | grep -c 'result$') of 8 tasks done"
# A job that was killed may still be ending, and its task is refused until then.
TRIES=0
until parallel --jobs 2 --joblog log --resume-failed 'threadlab work {}' ::: tasks/*.task; do
    TRIES=$((TRIES + 1))
    [ $TRIES -lt 100 ]
done
compare

for program in sshd ssh rsync; do
    if ! command -v $program > /dev/null; then
        echo "$ENGINE: --sshlogin skipped, because $program is not installed"
        exit 0
    fi
done
# Another one may use a port of its own at the same time.
PORT=$((20000 + $$ % 20000))
mkdir ssh
ssh-keygen -q -t ed25519 -N '' -f ssh/host
ssh-keygen -q -t ed25519 -N '' -f ssh/user
cp ssh/user.pub ssh/authorized
chmod 700 ssh "$WORK"
mkdir -p /run/sshd 2> /dev/null || true
"$(command -v sshd)" -D -e -p $PORT -o ListenAddress=127.0.0.1 -o HostKey="$WORK/ssh/host" -o PidFile=none -o UsePAM=no \
    -o StrictModes=no -o AuthorizedKeysFile="$WORK/ssh/authorized" -f /dev/null 2> ssh/log &
SSHD=$!
trap 'kill $SSHD; rm -rf "$WORK"' EXIT
cat > ssh/config <<END
Host here
  HostName 127.0.0.1
  Port $PORT
  IdentityFile $WORK/ssh/user
  UserKnownHostsFile $WORK/ssh/known
  StrictHostKeyChecking accept-new
END
until ssh -F ssh/config here true 2> ssh/error; do kill -0 $SSHD || { cat ssh/log; exit 1; }; done
rm tasks/*.result
# The files go there and come back.
parallel --jobs 2 --ssh "ssh -F $WORK/ssh/config" --sshlogin here --transferfile {} --return {.}.result --cleanup \
    --workdir "$WORK/there" --env PATH "PATH=$PATH threadlab work {}" ::: tasks/*.task
[ "$(ls tasks | grep -c 'result$')" = 8 ]
compare
