// A once whose initializer throws, handlers and destructors at the end of a thread.
#include <cassert>
#include <mutex>
#include <pthread.h>
#include <thread>

static std::once_flag flag;
static int tries, destroyed;
static std::mutex mutex;

struct Guard {
    int used = 0;
    ~Guard() {
        std::lock_guard<std::mutex> lock(mutex);
        destroyed++;
    }
};
static thread_local Guard guard;

static void initialize() {
    if (++tries == 1) throw 7;
}

static void *use(void *unused) {
    guard.used = 1;
    try {
        std::call_once(flag, initialize);
    } catch (int number) {
        assert(number == 7);
        std::call_once(flag, initialize);
    }
    return unused;
}

int main() {
    std::thread first(use, nullptr), second(use, nullptr);
    first.join();
    second.join();
    assert(tries == 2);
    assert(destroyed == 2);
}
