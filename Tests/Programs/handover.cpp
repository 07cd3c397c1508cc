// A loop of weak compare-exchanges on an atomic that has its first value from its constructor.
#include <atomic>
#include <cassert>
#include <thread>

static std::atomic<int> state{0};
static int shared;

int main() {
    std::thread other([] {
        int found = 1;
        while (!state.compare_exchange_weak(found, 2)) {
            found = 1;
            std::this_thread::yield();
        }
        assert(shared == 1);
    });
    shared = 1;
    state = 1;
    other.join();
    return state != 2;
}
