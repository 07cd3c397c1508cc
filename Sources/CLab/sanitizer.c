// Keeps the reports of ThreadSanitizer about this process, if the process is built with ThreadSanitizer (clab.h).
#include "clab.h"

#include <stddef.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CLAB_SANITIZED 1
#endif
#endif

#define CLAB_MOST_REPORTS 64

static clab_race_t clab_races[CLAB_MOST_REPORTS];
static int clab_race_total;

int clab_race_count(void) {
    int count = __atomic_load_n(&clab_race_total, __ATOMIC_ACQUIRE);
    return count < CLAB_MOST_REPORTS ? count : CLAB_MOST_REPORTS;
}

clab_race_t clab_race(int index) { return clab_races[index]; }

#ifdef CLAB_SANITIZED
#define UNCHECKED __attribute__((no_sanitize("thread")))

int __tsan_get_report_data(
    void *report, const char **description, int *count, int *stacks, int *accesses, int *locations, int *mutexes,
    int *threads, int *uniqueThreads, void **sleepTrace, unsigned long traceSize);
int __tsan_get_report_mop(
    void *report, unsigned long index, int *thread, void **address, int *size, int *write, int *atomic, void **trace,
    unsigned long traceSize);
int __tsan_get_report_thread(
    void *report, unsigned long index, int *thread, unsigned long long *kernelThread, int *running, const char **name,
    int *parent, void **trace, unsigned long traceSize);
void __sanitizer_symbolize_pc(void *pc, const char *format, char *text, size_t size);

// The sanitizer calls this for each report that it has written. The calls do not overlap.
UNCHECKED void __tsan_on_report(void *report) {
    int index = __atomic_load_n(&clab_race_total, __ATOMIC_RELAXED);
    if (index >= CLAB_MOST_REPORTS) return;
    clab_race_t *race = &clab_races[index];
    const char *description = "", *name;
    int ignored, accesses = 0, threads = 0;
    void *trace[1];
    __tsan_get_report_data(
        report, &description, &ignored, &ignored, &accesses, &ignored, &ignored, &threads, &ignored, trace, 1);
    for (int i = 0; i < threads && race->threads < CLAB_MOST_THREADS; i++) {
        unsigned long long kernelThread = 0;
        __tsan_get_report_thread(report, (unsigned long)i, &ignored, &kernelThread, &ignored, &name, &ignored, trace, 1);
        race->thread[race->threads++] = (int)kernelThread;
    }
    for (int i = 0; i < accesses && race->accesses < CLAB_MOST_ACCESSES; i++) {
        clab_access_t *access = &race->access[race->accesses++];
        void *address;
        __tsan_get_report_mop(
            report, (unsigned long)i, &ignored, &address, &ignored, &access->isWrite, &ignored, access->frame,
            CLAB_MOST_FRAMES);
    }
    __atomic_store_n(&clab_race_total, index + 1, __ATOMIC_RELEASE);
}

void clab_describe(void *frame, char *text, unsigned long size) {
    __sanitizer_symbolize_pc(frame, "%f\t%s\t%l", text, size);
}
#else
void clab_describe(void *frame, char *text, unsigned long size) {
    (void)frame;
    if (size > 0) text[0] = 0;
}
#endif
