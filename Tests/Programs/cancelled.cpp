// A thread of C++ that is cancelled or exits: its objects are destroyed, innermost first.
#include <cassert>
#include <cstring>
#include <mutex>
#include <pthread.h>
#include <semaphore.h>

static std::mutex mutex;
static sem_t permits;
static int destroyed;

struct Guard {
    int number;
    ~Guard() { destroyed = 10 * destroyed + number; }
};

static void inner(bool exits) {
    Guard second{2};
    if (exits) pthread_exit(nullptr);
    sem_wait(&permits);
}

static void *outer(void *exits) {
    Guard first{1};
    std::lock_guard<std::mutex> lock(mutex);
    inner(exits != nullptr);
    return nullptr;
}

static void *swallow(void *) {
    try {
        sem_wait(&permits);
    } catch (...) {
    }
    return nullptr;
}

int main(int count, char **words) {
    sem_init(&permits, 0, 0);
    bool exits = count > 1 && !strcmp(words[1], "exit"), swallows = count > 1 && !strcmp(words[1], "swallow");
    pthread_t thread;
    pthread_create(&thread, nullptr, swallows ? swallow : outer, exits ? &permits : nullptr);
    if (!exits) pthread_cancel(thread);
    void *result;
    pthread_join(thread, &result);
    assert(result == (exits ? nullptr : PTHREAD_CANCELED));
    assert(swallows || mutex.try_lock());
    assert(destroyed == 21);
}
