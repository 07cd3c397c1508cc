// A result that is ready when its thread has ended.
#include <cstdlib>
#include <future>
#include <stdexcept>
#include <thread>

int main(int argument_count, char **) {
    std::promise<int> promise;
    auto future = promise.get_future();
    std::thread thread(
        [fails = argument_count > 1](std::promise<int> promise) {
            if (fails) promise.set_exception_at_thread_exit(std::make_exception_ptr(std::runtime_error("none")));
            else promise.set_value_at_thread_exit(7);
        },
        std::move(promise));
    try {
        if (future.get() != 7) std::abort();
    } catch (const std::runtime_error &) {
        if (argument_count == 1) std::abort();
    }
    thread.join();
}
