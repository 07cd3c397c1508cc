// What is called at the end of a program. Argument: how it ends, correctly or with a mistake.
#include <cassert>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <memory>
#include <pthread.h>
#include <string>
#include <thread>

static int calls;
static const char *which = "return";

static void last() { assert(++calls == 5); }
static void with_code(int code, void *argument) {
    assert(++calls == 4 && code == 0 && argument == &calls);
}
static void first() {
    assert(++calls == 2);
    atexit([] { assert(++calls == 3); });
}

// In C++, after what was registered later.
struct Global {
    std::unique_ptr<int> value = std::make_unique<int>(7);
    ~Global() {
        if (calls > 0) assert(++calls == 6);
    }
};
static Global global;

struct Local {
    ~Local() {
        if (calls == 0) assert(++calls == 1);
    }
};
static thread_local Local local;

__attribute__((destructor)) static void at_the_very_end() {
    if (calls > 0) assert(++calls == 7);
    if (calls == 7) std::puts("all were called");
}

static void register_all() {
    (void)&local;
    atexit(last);
    on_exit(with_code, &calls);
    atexit(first);
}

static void *end_last(void *main) {
    pthread_join(*static_cast<pthread_t *>(main), nullptr);
    return nullptr;
}

int main(int count, char **arguments) {
    if (count > 1) which = arguments[1];
    if (!strcmp(which, "return")) register_all();
    if (!strcmp(which, "exit")) {
        register_all();
        exit(0);
    }
    // A thread uses what the end of main destroys.
    if (!strcmp(which, "uses")) std::thread([] { *global.value += 1; }).detach();
    if (!strcmp(which, "quick")) {
        at_quick_exit([] { assert(calls == 0); });
        atexit([] { assert(false); });
        quick_exit(0);
    }
    if (!strcmp(which, "code")) {
        atexit([] { _Exit(9); });
        return 0;
    }
    if (!strcmp(which, "last")) {
        static pthread_t self = pthread_self();
        pthread_t other;
        atexit([] { std::cout << "the last thread exits" << std::endl; });
        pthread_create(&other, nullptr, end_last, &self);
        pthread_detach(other);
        pthread_exit(nullptr);
    }
    return 0;
}
