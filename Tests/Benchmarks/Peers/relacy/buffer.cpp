// Two producers and two consumers of two items each, through a buffer for two. Its length is what races are looked for
// on; the items are plain memory, because the other side has one location for the whole list too. Waits do not end by
// themselves on either side.
#include "peer.hpp"

struct condition : rl::condvar<condition> {
    condition() { init(false, $); }
    ~condition() { deinit($); }
};

struct buffer : rl::test_suite<buffer, 4> {
    rl::mutex m;
    condition not_empty, not_full;
    rl::var<int> count;
    int items[2];
    int first = 0;

    void before() { count($) = 0; }

    void produce(int item) {
        m.lock($);
        while (count($) == 2) not_full.wait(m, false, $);
        int const n = count($);
        items[(first + n) % 2] = item;
        count($) = n + 1;
        not_empty.notify_one($);
        m.unlock($);
    }

    void consume() {
        m.lock($);
        while (count($) == 0) not_empty.wait(m, false, $);
        first = (first + 1) % 2;
        count($) = count($) - 1;
        not_full.notify_one($);
        m.unlock($);
    }

    void thread(unsigned index) {
        for (int i = 0; i < 2; ++i) {
            if (index < 2) produce(i); else consume();
        }
    }
};

int main(int count, char** arguments) { return simulate_peer<buffer>(count, arguments); }
