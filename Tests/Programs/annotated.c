// What a program tells ThreadSanitizer when it is built for it. None of that orders memory, or hides a race.
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

void AnnotateIgnoreReadsBegin(const char *file, int line);
void AnnotateIgnoreReadsEnd(const char *file, int line);
void AnnotateIgnoreWritesBegin(const char *file, int line);
void AnnotateIgnoreWritesEnd(const char *file, int line);
void AnnotateBenignRaceSized(const char *file, int line, const volatile void *memory, size_t size, const char *text);
void AnnotateRWLockCreate(const char *file, int line, const volatile void *lock);
int RunningOnValgrind(void);
void __tsan_acquire(void *address);
void __tsan_release(void *address);
void __tsan_mutex_create(void *lock, unsigned flags);
void __tsan_mutex_pre_lock(void *lock, unsigned flags);
void __tsan_mutex_post_lock(void *lock, unsigned flags, int recursion);
int __tsan_mutex_pre_unlock(void *lock, unsigned flags);
void __tsan_mutex_post_unlock(void *lock, unsigned flags);
void *__tsan_get_current_fiber(void);
void *__tsan_create_fiber(unsigned flags);
void __tsan_switch_to_fiber(void *fiber, unsigned flags);
uint32_t __sanitizer_unaligned_load32(const void *memory);
void __sanitizer_print_stack_trace(void);

static int value, lock;

static void *add(void *unused) {
    __tsan_acquire(&lock);
    AnnotateIgnoreReadsBegin(__FILE__, __LINE__);
    AnnotateIgnoreWritesBegin(__FILE__, __LINE__);
    value++;
    AnnotateIgnoreWritesEnd(__FILE__, __LINE__);
    AnnotateIgnoreReadsEnd(__FILE__, __LINE__);
    __tsan_release(&lock);
    return unused;
}

static void *look(void *unused) { return (void *)(uintptr_t)__sanitizer_unaligned_load32(unused ? unused : &value); }

int main(int count, char **words) {
    const char *way = count > 1 ? words[1] : "";
    pthread_t thread;
    AnnotateRWLockCreate(__FILE__, __LINE__, &lock);
    AnnotateBenignRaceSized(__FILE__, __LINE__, &value, sizeof value, "");
    __tsan_mutex_create(&lock, 0);
    __tsan_mutex_pre_lock(&lock, 0);
    __tsan_mutex_post_lock(&lock, 0, 1);
    __tsan_mutex_pre_unlock(&lock, 0);
    __tsan_mutex_post_unlock(&lock, 0);
    if (RunningOnValgrind() || !__tsan_get_current_fiber()) __sanitizer_print_stack_trace();
    if (strcmp(way, "fiber") == 0) __tsan_switch_to_fiber(__tsan_create_fiber(0), 0);
    pthread_create(&thread, NULL, strcmp(way, "load") == 0 ? look : add, NULL);
    if (strcmp(way, "race") == 0 || strcmp(way, "load") == 0) add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
