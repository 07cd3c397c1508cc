// Three threads that each add one to a counter three times, under a lock.
#include "peer.hpp"

struct counter : rl::test_suite<counter, 3> {
    rl::mutex m;
    rl::var<int> x;

    void before() { x($) = 0; }

    void thread(unsigned) {
        for (int i = 0; i < 3; ++i) {
            m.lock($);
            x($) = x($) + 1;
            m.unlock($);
        }
    }
};

int main(int count, char** arguments) { return simulate_peer<counter>(count, arguments); }
