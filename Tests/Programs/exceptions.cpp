// Exceptions that threads hand to each other. With the argument 'kept', one looks at the text of an exception that another may have destroyed.
#include <atomic>
#include <cassert>
#include <exception>
#include <future>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

static int fail(int number) {
    if (number > 0) throw std::runtime_error("fails with " + std::to_string(number));
    return number;
}

// The second thread gets what the first one throws, and both look at it; the last one destroys it, in whichever thread that is.
static void hand_over() {
    std::promise<int> promise;
    std::future<int> future = promise.get_future();
    std::thread thread([&] {
        try {
            promise.set_value(fail(1));
        } catch (const std::exception &error) {
            promise.set_exception(std::current_exception());
            assert(std::string(error.what()) == "fails with 1");
        }
    });
    std::string text;
    try {
        future.get();
    } catch (const std::runtime_error &error) {
        text = error.what();
    }
    thread.join();
    assert(text == "fails with 1");
}

// A copy shares its text with the exception that was thrown.
static void copy() {
    std::exception_ptr last;
    std::mutex mutex;
    auto run = [&](int number) {
        try {
            fail(number);
        } catch (const std::runtime_error &error) {
            {
                std::lock_guard lock(mutex);
                last = std::make_exception_ptr(error);
            }
            assert(std::string(error.what()).size() == 12);
        }
    };
    std::thread one(run, 1), other(run, 2);
    one.join();
    other.join();
    std::string text;
    try {
        std::rethrow_exception(last);
    } catch (const std::exception &error) {
        text = error.what();
    }
    assert(text.size() == 12);
}

// Whichever of two asks first waits for the thread's end, while it holds the lock of a once in a block of memory.
static void ask_twice() {
    std::shared_future<int> future = std::async(std::launch::async, [] { return fail(0); }).share();
    auto ask = [future] { assert(future.get() == 0); };
    std::thread thread(ask);
    ask();
    thread.join();
}

static std::atomic<const char *> kept{nullptr};

static void keep() {
    std::thread thread([] {
        try {
            fail(3);
        } catch (const std::exception &error) {
            kept = error.what();
        }
    });
    if (const char *text = kept) assert(text[0] == 'f');
    thread.join();
}

int main(int count, char **words) {
    std::string what = count > 1 ? words[1] : "";
    if (what == "kept") keep();
    else if (what == "copied") copy();
    else if (what == "asked") ask_twice();
    else hand_over();
}
