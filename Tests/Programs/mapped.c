// Threads with a lock and a number in memory that the program maps. The argument says how, or what is wrong.
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>

enum { PAGES = 8192 };

static const char *what;
static pthread_mutex_t *mutex;
static int *number;
static char *page;

static int is(const char *word) { return !strcmp(what, word); }

// The page that a thread has made last is used by the next.
static void use_page(char *made) {
    static char *last;
    pthread_mutex_lock(mutex);
    if (last) last[0]++;
    made[0]++;
    last = made;
    pthread_mutex_unlock(mutex);
}

static void *add(void *unused) {
    if (is("own")) use_page(mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0));
    if (!is("race")) pthread_mutex_lock(mutex);
    ++*number;
    // Another page, that the second of them unmaps.
    if (is("last") && *number == 2) assert(munmap(page, PAGES) == 0);
    if (is("last") && *number == 1) page[0]++;
    if (!is("race")) pthread_mutex_unlock(mutex);
    return unused;
}

static char *map(void) {
    int flags = MAP_ANONYMOUS | (is("shared") ? MAP_SHARED : MAP_PRIVATE);
    char *memory = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, flags, -1, 0);
    assert(memory != MAP_FAILED && !memory[0] && !memory[PAGES - 1]);
    if (!is("moved")) return memory;
    memory[1] = 'x';
    char *moved = mremap(memory, PAGES, 2 * PAGES, MREMAP_MAYMOVE);
    assert(moved != MAP_FAILED && moved[1] == 'x' && !moved[2 * PAGES - 1]);
    return moved;
}

int main(int count, char **words) {
    what = count > 1 ? words[1] : "private";
    char *memory = map();
    mutex = (pthread_mutex_t *)(void *)(memory + 64);
    number = (int *)(void *)(memory + PAGES / 2);
    pthread_mutex_init(mutex, NULL);
    page = mmap(NULL, PAGES, PROT_READ | PROT_WRITE, MAP_ANONYMOUS | MAP_PRIVATE, -1, 0);
    pthread_t threads[2];
    for (int i = 0; i < 2; i++) pthread_create(&threads[i], NULL, add, NULL);
    if (is("early")) munmap(memory, PAGES);
    for (int i = 0; i < 2; i++) pthread_join(threads[i], NULL);
    assert(is("race") || *number == 2);
    if (is("unmapped")) assert(munmap(memory, PAGES) == 0);
    return 0;
}
