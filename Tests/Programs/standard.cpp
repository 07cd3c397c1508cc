// Threads, locks, conditions, futures and shared pointers of C++, used as they should be.
#include <cassert>
#include <condition_variable>
#include <future>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <thread>
#include <vector>

struct Item {
    int value;
    explicit Item(int value) : value(value) {}
};

static std::mutex lock;
static std::condition_variable made;
static std::vector<std::shared_ptr<Item>> items;
static std::shared_mutex table;

static Item &single() {
    static Item one(1);
    return one;
}

int main() {
    std::thread producer([] {
        auto item = std::make_shared<Item>(7);
        {
            std::lock_guard hold(lock);
            items.push_back(item);
        }
        made.notify_one();
        assert(single().value == 1);
    });
    std::thread consumer([] {
        std::unique_lock hold(lock);
        made.wait(hold, [] { return !items.empty(); });
        assert(items.back()->value == 7 && single().value == 1);
    });
    auto result = std::async(std::launch::async, [] {
        std::shared_lock hold(table);
        return 3;
    });
    producer.join();
    consumer.join();
    assert(result.get() == 3);
    return 0;
}
