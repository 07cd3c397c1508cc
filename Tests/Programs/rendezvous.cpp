// Threads that wait for each other by parts of the C++20 library that spin for a short time first: the argument says by
// which.
#include <atomic>
#include <barrier>
#include <cassert>
#include <cstring>
#include <latch>
#include <semaphore>
#include <thread>

static int number, parts[2], sum;
static std::latch gate(2);
static std::counting_semaphore<2> full(0);
static std::atomic<int> state;

static void rounds() {
    std::barrier all(2, []() noexcept { sum += parts[0] + parts[1]; });
    auto work = [&](int part) {
        for (int round = 1; round <= 2; round++) {
            parts[part] = round;
            all.arrive_and_wait();
        }
    };
    std::thread first(work, 0), second(work, 1);
    first.join();
    second.join();
    assert(sum == 2 + 4);
}

static void give(const char *way) {
    number = 1;
    if (!strcmp(way, "latch")) gate.count_down();
    else if (!strcmp(way, "semaphore")) full.release();
    else state = 1;
    if (!strcmp(way, "wait")) state.notify_one();
}

static void take(const char *way) {
    if (!strcmp(way, "latch")) gate.arrive_and_wait();
    else if (!strcmp(way, "semaphore")) full.acquire();
    else state.wait(0);
    assert(number == 1);
}

int main(int count, char **arguments) {
    const char *way = count > 1 ? arguments[1] : "barrier";
    if (!strcmp(way, "barrier")) {
        rounds();
        return 0;
    }
    // "silent": without a notification, the thread may wait forever.
    std::thread giver(give, way), taker(take, way);
    giver.join();
    taker.join();
}
