// A std::atomic<std::shared_ptr>: its loads and stores order what they are for. With an argument, a lock of the program's own in the lowest bit
// of a word, which is released without an order: that is a data race.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <thread>

struct Pair {
    int one = 1, other = 1;
};

static void share() {
    std::atomic<std::shared_ptr<Pair>> pair(std::make_shared<Pair>());
    std::thread thread([&] {
        auto next = std::make_shared<Pair>();
        next->one = next->other = 2;
        pair.store(next);
    });
    auto now = pair.load();
    assert(now->one == now->other);
    thread.join();
}

static std::atomic<std::uintptr_t> word{0};
static int value;

static void lock() {
    auto run = [] {
        std::uintptr_t before = 0;
        if (!word.compare_exchange_strong(before, 1, std::memory_order_acquire)) return;
        value++;
        word.fetch_sub(1, std::memory_order_relaxed);
    };
    std::thread thread(run);
    run();
    thread.join();
}

int main(int count, char **) {
    if (count > 1) lock();
    else share();
}
