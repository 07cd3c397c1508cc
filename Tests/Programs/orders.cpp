// Orders that a program in C++ chooses, and those of what its library is made of.
#include <atomic>
#include <cassert>
#include <cstring>
#include <future>
#include <memory>
#include <mutex>
#include <thread>

static std::atomic<int> word{0};
static std::atomic<bool> flag{false};

struct Counter {
    int count = 0;
    Counter() { count = 1; }
};

static int &counter() {
    static Counter only;
    return only.count;
}

static int together(void (*one)(), void (*other)()) {
    std::thread first(one), second(other);
    first.join();
    second.join();
    return 0;
}

int main(int count, char **words) {
    assert(count == 2);
    auto is = [&](const char *name) { return std::strcmp(words[1], name) == 0; };
    // Of the library: counts of references, guards, what a future waits for.
    if (is("shared")) {
        auto value = std::make_shared<int>(1);
        std::thread other([value] { assert(*value == 1); });
        auto copy = value;
        other.join();
        return 0;
    }
    if (is("guard")) return together([] { assert(counter() == 1); }, [] { assert(counter() == 1); });
    if (is("future")) {
        std::promise<int> promise;
        auto future = promise.get_future();
        std::thread other([&] { promise.set_value(1); });
        assert(future.get() == 1);
        other.join();
        return 0;
    }
    if (is("once")) {
        static std::once_flag once;
        static int calls;
        return together([] { std::call_once(once, [] { calls++; }); }, [] { std::call_once(once, [] { calls++; }); });
    }
    if (is("seqcst")) return together([] { word++; }, [] { flag = word == 1; });
    // Of the program.
    if (is("load")) return together([] { word = 1; }, [] { (void)word.load(std::memory_order_relaxed); });
    if (is("store")) return together([] { flag.store(true, std::memory_order_release); }, [] { (void)flag.load(); });
    if (is("both")) {
        auto both = [] {
            flag.store(true, std::memory_order_release);
            flag.store(false, std::memory_order_release);
        };
        return together(both, [] { (void)flag.load(); });
    }
    if (is("free")) return together([] { std::atomic_store_explicit(&word, 1, std::memory_order_release); }, [] { word++; });
    if (is("wait")) {
        return together([] { word = 1, word.notify_all(); }, [] { word.wait(0, std::memory_order_acquire); });
    }
    return 2;
}
