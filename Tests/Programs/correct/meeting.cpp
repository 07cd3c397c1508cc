// A latch, a barrier and a semaphore of C++20.
#include <barrier>
#include <cassert>
#include <latch>
#include <semaphore>
#include <thread>

static std::latch ready(1);
static std::barrier<> both(2);
static std::binary_semaphore permit(0);
static int number;

int main() {
    std::thread thread([] {
        ready.wait();
        assert(number == 1);
        both.arrive_and_wait();
        permit.acquire();
        assert(number == 2);
    });
    number = 1;
    ready.count_down();
    both.arrive_and_wait();
    number = 2;
    permit.release();
    thread.join();
    return 0;
}
