// Two threads that take two locks, in the same order: Relacy ends at a deadlock, so opposite orders cannot be measured.
#include "peer.hpp"

struct two_locks : rl::test_suite<two_locks, 2> {
    rl::mutex a, b;

    void thread(unsigned) {
        a.lock($);
        b.lock($);
        b.unlock($);
        a.unlock($);
    }
};

int main(int count, char** arguments) { return simulate_peer<two_locks>(count, arguments); }
