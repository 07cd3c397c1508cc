// A std::atomic<std::shared_ptr>: its loads and stores order what they are for, and so does a compare-exchange that finds another pointer, with
// the argument 'exchanged'. With 'own', a lock of the program's own in the lowest bit of a word, which is released without an order: that is a
// data race.
#include <atomic>
#include <cassert>
#include <cstdint>
#include <memory>
#include <string>
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

static void exchange() {
    std::atomic<std::shared_ptr<int>> number(std::make_shared<int>(1));
    std::thread thread([&] {
        std::shared_ptr<int> expected;
        number.compare_exchange_strong(expected, nullptr, std::memory_order_acq_rel, std::memory_order_acquire);
    });
    number.store(std::make_shared<int>(2));
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

int main(int count, char **words) {
    std::string what = count > 1 ? words[1] : "";
    if (what == "own") lock();
    else if (what == "exchanged") exchange();
    else share();
}
