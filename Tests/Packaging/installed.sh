#!/bin/sh
# Run by deb.sh, as root, in a root file system that is thrown away: installs the package in /test, uses what is in it,
# and purges it.
set -eu

says() { # FILE TEXT
    grep -q -- "$2" "$1" || { echo "not in the output: $2"; cat "$1"; exit 1; }
}
exits() { # CODE COMMAND…
    expected=$1; shift
    code=0; "$@" > out 2>&1 || code=$?
    [ $code -eq "$expected" ] || { cat out; echo "exit code $code, not $expected: $*"; exit 1; }
}
files() { # What package management, and what reads manuals, keep of their own work is not the package's.
    find / -xdev \( -path /proc -o -path /sys -o -path /dev -o -path /tmp -o -path /run -o -path /var/log -o -path /var/cache \
        -o -path /var/lib/dpkg -o -path /var/lib/apt -o -path /test \) -prune -o -print | sort
}

cd "$(mktemp -d)"
! command -v swift
files > /test/before
apt-get install -y --no-install-recommends /test/threadlab_*.deb > /dev/null
echo "ok installed: $(dpkg-query -W -f='${Package} ${Version}, ${Installed-Size} KiB, depends on ${Depends}' threadlab)"
dpkg --verify threadlab
exits 0 threadlab --version
says out "^threadlab $(dpkg-query -W -f='${Version}' threadlab | cut -d- -f1)\$"
! ldd /usr/bin/threadlab | grep 'not found'

exits 0 threadlab show; says out '^  deadlock  '
exits 0 threadlab run deadlock; says out '^deadlock: '
exits 0 threadlab run deadlock --seed 1 --format lanes; says out 'blocked forever'
exits 0 threadlab show deadlock --code ring; says out 'Mutex'
exits 0 threadlab explore lost-update; says out 'threadlab replay'
exits 0 threadlab explore lost-update-fixed; says out 'proved'
threadlab new mine > /dev/null
exits 0 threadlab check mine.lab
echo "ok list, run, show, explore, new and check work without a toolchain"

# gcc is on this system, clang is not.
cat > update.c <<'END'
#include <assert.h>
#include <pthread.h>
static int count;
static void *add(void *unused) { count++; return unused; }
int main(void) {
    pthread_t one, other;
    pthread_create(&one, 0, add, 0);
    pthread_create(&other, 0, add, 0);
    pthread_join(one, 0);
    pthread_join(other, 0);
    assert(count == 2);
    return 0;
}
END
exits 0 threadlab cc -- gcc update.c -o update
exits 1 threadlab explore ./update --keep-going; says out 'Data race: threads add and add 2 access count'; says out 'count == 2'
echo "ok a program in C, compiled by gcc"

for scenario in producer-consumer deadlock cancellation shutdown priority-inversion; do
    exits 0 threadlab check --builtin --filter "$scenario/*"
    echo "ok check $scenario: $(tail -n 1 out)"
done
exits 0 threadlab check /usr/share/threadlab/scenarios/basics --controlled --cache proofs
exits 0 threadlab check /usr/share/threadlab/scenarios/basics --controlled --cache proofs; says out remembered
echo "ok the programs in /usr/share/threadlab/scenarios: $(tail -n 1 out)"

exits 0 man threadlab; says out 'THREADLAB(1)'; says out 'explore'
cp /usr/share/bash-completion/bash_completion . && cat > complete.bash <<'END'
. ./bash_completion
_completion_loader threadlab
complete -p threadlab
END
exits 0 bash complete.bash; says out 'threadlab$'
exits 0 zsh -fc 'autoload -U compinit && compinit -D && print $_comps[threadlab]'; says out '^_threadlab$'
exits 0 fish -c 'complete -C "threadlab expl"'; says out '^explore'
exits 0 vim -es -c 'filetype on' -c 'edit mine.lab' -c 'redir! > type' -c 'set filetype?' -c 'redir END' -c 'quitall!'
says type 'filetype=lab'
for file in copyright changelog.gz changelog.Debian.gz README.md docs/ci.md; do
    [ -s "/usr/share/doc/threadlab/$file" ] || { echo "no $file"; exit 1; }
done
echo "ok man, bash, zsh, fish, vim and the documentation"

cd /
apt-get purge -y threadlab > /dev/null
[ "$(dpkg-query -W -f='${Status}' threadlab 2> /dev/null)" = "" ]
files > /test/after
# Libraries that were installed for it are apt's to remove, and the shells' own files are not the package's.
comm -13 /test/before /test/after | grep -i threadlab && exit 1
comm -13 /test/before /test/after | grep -v -e '^/root' > /test/left || true
[ ! -s /test/left ] || { echo "left behind:"; cat /test/left; exit 1; }
echo "ok purged: nothing is left"

# The job for GitLab in docs/ci.md, with this package as the one that is downloaded.
cd "$(mktemp -d)"
mkdir scenarios
printf 'scenario "gate"\natomic gate = 0\nthread guest { await gate.load() == 1 }\nexpect deadlock\n' > scenarios/gate.lab
THREADLAB=$(basename /test/threadlab_*.deb)
RELEASE=file:///test
CHECKSUM=$(sha256sum /test/threadlab_*.deb | cut -d' ' -f1)
export THREADLAB RELEASE CHECKSUM
exits 0 sh -e /test/gitlab.sh
says out 'scenarios/gate.lab *deadlock found'
[ -s report.xml ] && [ "$(ls .proofs)" ]
echo "ok the job for GitLab"
