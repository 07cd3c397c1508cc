// A result, and a failure, that are waited for.
#include <cassert>
#include <future>
#include <stdexcept>
#include <thread>

int main() {
    std::promise<int> result, failure;
    std::thread thread([&] {
        result.set_value(3);
        failure.set_exception(std::make_exception_ptr(std::runtime_error("no")));
    });
    assert(result.get_future().get() == 3);
    bool isCaught = false;
    try {
        failure.get_future().get();
    } catch (const std::runtime_error &) { isCaught = true; }
    assert(isCaught);
    thread.join();
    return 0;
}
