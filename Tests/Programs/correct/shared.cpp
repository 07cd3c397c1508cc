// Whoever drops the last reference destroys the value, and sees what was done with it.
#include <cassert>
#include <memory>
#include <mutex>
#include <thread>

static int destroyed;

struct Value {
    std::mutex mutex;
    int uses = 0;
    ~Value() {
        assert(uses == 2);
        destroyed++;
    }
    void use() {
        std::lock_guard hold(mutex);
        uses++;
    }
};

int main() {
    auto value = std::make_shared<Value>();
    std::thread thread([value]() mutable {
        value->use();
        value.reset();
    });
    value->use();
    value.reset();
    thread.join();
    assert(destroyed == 1);
    return 0;
}
