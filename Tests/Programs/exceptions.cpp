// Exceptions that threads hand to each other. With the argument 'kept', one looks at the text of an exception that another may have destroyed;
// with those from 'published' on, at an exception or a pointer to one while another makes, moves or destroys it.
#include <atomic>
#include <cassert>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
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

static std::atomic<std::runtime_error *> published{nullptr};

static void publish() {
    std::thread thread([] { published.store(new std::runtime_error("text"), std::memory_order_relaxed); });
    if (auto error = published.load(std::memory_order_relaxed)) assert(error->what()[0] == 't');
    thread.join();
}

static void take() {
    std::optional<std::exception_ptr> pointer = std::make_exception_ptr(1);
    std::exception_ptr other = *pointer, *place = &*pointer;
    std::thread thread([&] { pointer.reset(); });
    std::exception_ptr copy = *place;
    thread.join();
}

static void move() {
    std::runtime_error error("text");
    const std::exception &same = error;
    std::thread thread([&] { std::runtime_error moved = std::move(error); });
    (void)same.what();
    thread.join();
}

template <class Error> static void end() {
    std::optional<Error> error("text");
    const std::exception &same = *error;
    std::thread thread([&] { error.reset(); });
    (void)same.what();
    thread.join();
}

// Made before 'main': two pointers to an exception, and two copies of a text.
static const int *looked_at;

static std::exception_ptr make_early() {
    auto pointer = std::make_exception_ptr(7);
    try {
        std::rethrow_exception(pointer);
    } catch (const int &number) {
        looked_at = &number;
    }
    return pointer;
}

static std::exception_ptr early = make_early(), same_early = early;
static std::optional<std::runtime_error> early_error("text"), same_error = early_error;

static void drop_early() {
    auto look = [](std::exception_ptr &pointer, std::optional<std::runtime_error> &error) {
        assert(*looked_at == 7);
        pointer = nullptr;
        assert(static_cast<std::exception &>(*error).what()[0] == 't');
        error.reset();
    };
    std::thread thread([&] { look(early, early_error); });
    look(same_early, same_error);
    thread.join();
}

int main(int count, char **words) {
    std::string what = count > 1 ? words[1] : "";
    if (what == "kept") keep();
    else if (what == "copied") copy();
    else if (what == "asked") ask_twice();
    else if (what == "early") drop_early();
    else if (what == "published") publish();
    else if (what == "taken") take();
    else if (what == "moved") move();
    else if (what == "ended") end<std::runtime_error>();
    else if (what == "derived") end<std::out_of_range>();
    else hand_over();
}
