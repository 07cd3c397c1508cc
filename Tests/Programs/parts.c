// Parts of variables, local and global ones, that threads get by a pointer.
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>

typedef struct {
    int x, y;
} point;

typedef volatile long total;

struct state {
    pthread_mutex_t locks[2];
    point points[2][3];
    union {
        int number;
        float real;
    } value;
    union {
        long inner;
        double other;
    };
    unsigned low : 3, high : 9;
    char text[8];
    _Atomic int flags[2];
    total sum;
    pthread_mutex_t end;
};

static const char *choice;
static struct state shared;

static int is(const char *name) { return strcmp(choice, name) == 0; }

static void *change(void *given) {
    struct state *state = given;
    if (is("points")) state->points[1][2].y++;
    if (is("value")) state->value.real += 1;
    if (is("inner")) state->inner++;
    if (is("bits")) state->low++;
    if (is("text")) state->text[5]++;
    if (is("sum")) state->sum++;
    if (is("flags")) *(int *)&state->flags[1] = 1, atomic_fetch_add(&state->flags[1], 1);
    if (is("locks")) pthread_mutex_lock(&state->locks[1]);
    static int calls;
    return is("calls") && ++calls > 2 ? given : NULL;
}

static void run(struct state *state) {
    pthread_t one, other;
    pthread_create(&one, NULL, change, state);
    pthread_create(&other, NULL, change, state);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
}

static void run_locally(void) {
    struct state local;
    memset(&local, 0, sizeof local);
    run(&local);
}

static void run_with(int count) {
    long numbers[count];
    memset(numbers, 0, sizeof numbers);
    choice = "sum";
    // The sum is one of the numbers.
    run((struct state *)(void *)((char *)&numbers[4] - offsetof(struct state, sum)));
}

int main(int count, char **words) {
    choice = count > 2 ? words[2] : "points";
    int is_local = count > 1 && strcmp(words[1], "local") == 0;
    if (is("counted")) run_with(8 + count);
    else if (is_local) run_locally();
    else run(&shared);
    return 0;
}
