// What C++20 waits with: atomics, latches, barriers, semaphores, futures. Argument: which, correct or with a mistake.
#include <atomic>
#include <barrier>
#include <cassert>
#include <chrono>
#include <future>
#include <latch>
#include <semaphore>
#include <string>
#include <thread>

static void atomics(bool forgets) {
    std::atomic<int> ready = 0;
    int data = 0;
    std::jthread reader([&] {
        ready.wait(0);
        assert(data == 7);
    });
    data = 7;
    ready = 1;
    if (!forgets) ready.notify_one();
}

static void latches() {
    std::latch arrived(2);
    int one = 0, other = 0;
    std::jthread first([&] { one = 1, arrived.count_down(); });
    std::jthread second([&] { other = 2, arrived.count_down(); });
    arrived.wait();
    assert(one + other == 3);
}

static void barriers() {
    int rounds = 0;
    std::barrier round(2, [&]() noexcept { rounds++; });
    auto work = [&] {
        round.arrive_and_wait();
        round.arrive_and_wait();
    };
    {
        std::jthread one(work), other(work);
    }
    assert(rounds == 2);
}

static void semaphores(bool forgets) {
    std::counting_semaphore<4> permits(0);
    int data = 0;
    std::jthread taker([&] {
        permits.acquire();
        assert(data == 1);
    });
    data = 1;
    if (!forgets) permits.release();
}

static void futures(bool breaks) {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::jthread maker([&, mine = std::move(promise)]() mutable {
        if (!breaks) mine.set_value(5);
        else std::promise<int>(std::move(mine));
    });
    try {
        assert(future.get() == 5);
        assert(!breaks);
    } catch (const std::future_error &error) {
        assert(breaks && error.code() == std::future_errc::broken_promise);
    }
}

static void limits() {
    std::promise<void> never;
    assert(never.get_future().wait_for(std::chrono::hours(1)) == std::future_status::timeout);
    std::binary_semaphore none(0);
    assert(!none.try_acquire_for(std::chrono::hours(1)));
    auto task = std::async(std::launch::async, [] { return 3; });
    assert(task.get() == 3);
}

int main(int count, char **arguments) {
    std::string which = count > 1 ? arguments[1] : "";
    if (which == "atomic") atomics(false);
    if (which == "atomic-forgets") atomics(true);
    if (which == "latch") latches();
    if (which == "barrier") barriers();
    if (which == "semaphore") semaphores(false);
    if (which == "semaphore-forgets") semaphores(true);
    if (which == "future") futures(false);
    if (which == "future-breaks") futures(true);
    if (which == "limits") limits();
}
