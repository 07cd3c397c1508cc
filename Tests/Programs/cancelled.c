// Threads that are cancelled, in each wait that a cancellation ends. All but those named otherwise are correct.
#define _GNU_SOURCE
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t made = PTHREAD_COND_INITIALIZER;
static pthread_key_t key;
static sem_t permits;
static pthread_t idle_thread;
static int products, cleaned, order[4], ordered;

static void note(void *number) { order[ordered++] = (int)(long)number; }
static void unlock(void *mutex) {
    cleaned++;
    pthread_mutex_unlock(mutex);
}
static void clean(void *unused) {
    (void)unused;
    cleaned++;
}

// The mutex is held again when the handler runs.
static void *wait_for_product(void *unused) {
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    while (products == 0) pthread_cond_wait(&made, &lock);
    products--;
    pthread_cleanup_pop(1);
    return unused;
}

static void *wait_in_time(void *unused) {
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec++;
    pthread_mutex_lock(&lock);
    pthread_cleanup_push(unlock, &lock);
    pthread_cond_timedwait(&made, &lock, &limit);
    pthread_cleanup_pop(1);
    return unused;
}

// It keeps the mutex when it is cancelled.
static void *wait_without_handler(void *unused) {
    pthread_mutex_lock(&lock);
    while (products == 0) pthread_cond_wait(&made, &lock);
    pthread_mutex_unlock(&lock);
    return unused;
}

static void *wait_for_permit(void *unused) {
    pthread_cleanup_push(clean, NULL);
    sem_wait(&permits);
    pthread_cleanup_pop(0);
    return unused;
}

static void *sleep_long(void *unused) {
    pthread_cleanup_push(clean, NULL);
    sleep(1000);
    pthread_cleanup_pop(0);
    return unused;
}

static void *idle(void *unused) {
    sem_wait(&permits);
    return unused;
}

static void *wait_for_thread(void *unused) {
    pthread_cleanup_push(clean, NULL);
    pthread_join(idle_thread, NULL);
    pthread_cleanup_pop(0);
    return unused;
}

static void *test(void *unused) {
    pthread_cleanup_push(clean, NULL);
    while (1) {
        pthread_testcancel();
        sched_yield();
    }
    pthread_cleanup_pop(0);
    return unused;
}

static void *spin(void *unused) {
    pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
    while (!__atomic_load_n(&products, __ATOMIC_SEQ_CST)) sched_yield();
    return unused;
}

// Cancelled only when it says so.
static void *work_undisturbed(void *unused) {
    int state;
    pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);
    assert(state == PTHREAD_CANCEL_ENABLE);
    pthread_testcancel();
    pthread_mutex_lock(&lock);
    while (products == 0) pthread_cond_wait(&made, &lock);
    cleaned++;
    pthread_mutex_unlock(&lock);
    pthread_setcancelstate(state, NULL);
    pthread_testcancel();
    return unused;
}

static void *end_in_order(void *unused) {
    pthread_setspecific(key, (void *)3l);
    pthread_cleanup_push(note, (void *)1l);
    pthread_cleanup_push(note, (void *)2l);
    if (unused) pthread_exit((void *)7l);
    pause_here:
    pthread_testcancel();
    sched_yield();
    goto pause_here;
    pthread_cleanup_pop(0);
    pthread_cleanup_pop(0);
    return NULL;
}

static void *cancel_own(void *unused) {
    pthread_cancel(pthread_self());
    cleaned++;
    pthread_testcancel();
    cleaned = 100;
    return unused;
}

static void *body_of(const char *name) {
    static const struct {
        const char *name;
        void *(*body)(void *);
    } bodies[] = {
        {"condition", wait_for_product}, {"time", wait_in_time}, {"permit", wait_for_permit}, {"sleep", sleep_long},
        {"join", wait_for_thread}, {"test", test}, {"asynchronous", spin}, {"own", cancel_own},
        {"forgets", wait_without_handler},
    };
    for (unsigned i = 0; i < sizeof bodies / sizeof *bodies; i++) {
        if (strcmp(bodies[i].name, name) == 0) return (void *)bodies[i].body;
    }
    return NULL;
}

// Two wait, one is cancelled, one product is made: the other gets it.
static int keep_signal(void) {
    pthread_t one, other;
    void *result;
    pthread_create(&one, NULL, wait_for_product, NULL);
    pthread_create(&other, NULL, wait_for_product, NULL);
    pthread_cancel(one);
    pthread_mutex_lock(&lock);
    products++;
    pthread_cond_signal(&made);
    pthread_mutex_unlock(&lock);
    pthread_join(one, &result);
    if (result == PTHREAD_CANCELED) {
        pthread_join(other, NULL);
        assert(products == 0);
    }
    return 0;
}

static int end(int exits) {
    pthread_t one;
    void *result;
    pthread_key_create(&key, note);
    pthread_create(&one, NULL, end_in_order, exits ? &lock : NULL);
    if (!exits) pthread_cancel(one);
    pthread_join(one, &result);
    assert(result == (exits ? (void *)7l : PTHREAD_CANCELED));
    assert(ordered == 3 && order[0] == 2 && order[1] == 1 && order[2] == 3);
    return 0;
}

static int disable(void) {
    pthread_t one;
    void *result;
    pthread_create(&one, NULL, work_undisturbed, NULL);
    pthread_cancel(one);
    pthread_mutex_lock(&lock);
    products = 1;
    pthread_cond_signal(&made);
    pthread_mutex_unlock(&lock);
    pthread_join(one, &result);
    assert(cleaned == 1 && result == PTHREAD_CANCELED);
    return 0;
}

// What it returns is what join says, also if it is cancelled after that.
static int cancel_ended(void) {
    pthread_t one;
    void *result;
    sem_post(&permits);
    pthread_create(&one, NULL, idle, &lock);
    while (sem_trywait(&permits) == 0) sem_post(&permits);
    pthread_cancel(one);
    pthread_join(one, &result);
    assert(result == &lock || result == PTHREAD_CANCELED);
    return 0;
}

int main(int count, char **words) {
    const char *name = count > 1 ? words[1] : "condition";
    sem_init(&permits, 0, 0);
    if (strcmp(name, "signal") == 0) return keep_signal();
    if (strcmp(name, "exit") == 0) return end(1);
    if (strcmp(name, "order") == 0) return end(0);
    if (strcmp(name, "disabled") == 0) return disable();
    if (strcmp(name, "ended") == 0) return cancel_ended();
    if (strcmp(name, "join") == 0) pthread_create(&idle_thread, NULL, idle, NULL);
    pthread_t one;
    void *result;
    pthread_create(&one, NULL, (void *(*)(void *))body_of(name), NULL);
    if (strcmp(name, "own") != 0) assert(pthread_cancel(one) == 0);
    pthread_join(one, &result);
    int is_limited = strcmp(name, "time") == 0 || strcmp(name, "sleep") == 0;
    assert(result == PTHREAD_CANCELED || (is_limited && result == NULL));
    if (strcmp(name, "forgets") == 0) pthread_mutex_lock(&lock);
    if (strcmp(name, "join") == 0) {
        sem_post(&permits);
        pthread_join(idle_thread, NULL);
    }
    assert(cleaned <= 1 && pthread_mutex_trylock(&lock) == 0);
    return 0;
}
