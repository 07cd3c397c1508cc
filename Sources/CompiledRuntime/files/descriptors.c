// Races of descriptors: if a thread closes a descriptor while another one uses it, without order between the two, the
// close or the use may meet what a third thread has opened under the same number. As in ThreadSanitizer, each
// descriptor has a word of memory, its entry: a use of the descriptor reads the entry, and closing writes it.
//
// The system gives a closed number to a file that is opened later, and so orders the closing before the opening. This
// order is not modeled: if both files had one entry, closing the first would seem to race with uses of the second. So a
// number has another entry after each closing. Which one depends on how often it was closed before: that count is read
// and written by relaxed atomic steps, which order nothing.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// If an execution closes a number this often, accesses to its descriptor are no longer noted.
enum { MOST_CLOSES = 1 << 15 };

static struct {
    // Whether the execution has closed any descriptor; and by descriptor, how often.
    int has_closed;
    uint64_t closes[MOST_FILES];
    // The entries, by descriptor and by how often it was closed before.
    uint64_t entries[MOST_FILES][MOST_CLOSES];
} *table;

static void make_table(void) {
    table = lab_map(sizeof *table, MAP_NORESERVE);
    if (table == MAP_FAILED) lab_give_up("no room for the program's descriptors");
}
LAB_PHASE(lab_with_engine, LAB_ANY, make_table);

static void begin_descriptors(void) {
    if (table->has_closed) memset(table->closes, 0, sizeof table->closes);
    table->has_closed = 0;
}
LAB_PHASE(lab_before_execution, LAB_ANY, begin_descriptors);

// Takes the step that reads how often the descriptor was closed or, with `closes`, increases it. As for plain memory,
// executions before a search learn which places in the code need the step.
static void take_count_step(int file, int closes, uint64_t caller) {
    uint64_t *word = &table->closes[file];
    if (lab_state->unjoined < 2 || !lab_learn_access(word, sizeof *word, closes, caller)) return;
    lab_note_atomic(word, sizeof *word, closes);
    lab_ask((compiled_request_t){
        .kind = closes ? compiled_store : compiled_load, .size = sizeof *word, .object = (uint64_t)word, .a = 1,
        .order = __ATOMIC_RELAXED, .failure_order = __ATOMIC_RELAXED, .site = caller, .text = "closes of descriptor", .line = (uint32_t)file});
}

static int is_followed(int file) { return is_controlled() && file >= 0 && file < MOST_FILES; }

// Accesses the descriptor's present entry. ends: whether the call closes the descriptor.
static void access_entry(int file, int ends, int writes, uint64_t caller) {
    if (!is_followed(file)) return;
    take_count_step(file, ends, caller);
    uint64_t number = table->closes[file];
    int is_open = !ends || lab_system(SYS_fcntl, (uint64_t)file, F_GETFD, 0, 0, 0, 0) >= 0;
    if (ends && is_open) table->closes[file]++, table->has_closed = 1;
    if (ends && is_open && lab_is_given(file)) lab_note_lasting("close", caller);
    // If the descriptor is not open, another thread may have closed it before, without order. To find that race, this
    // accesses the entry from before that closing.
    if (!is_open && number > 0) number--;
    if (number >= MOST_CLOSES) return;
    lab_note_named_access(&table->entries[file][number], sizeof table->entries[file][number], writes, caller, "descriptor", (uint32_t)file);
}

void lab_use_descriptor(int file, uint64_t caller) { access_entry(file, 0, 0, caller); }

void lab_close_descriptor(int file, uint64_t caller) { access_entry(file, 1, 1, caller); }

// dup2 to an open descriptor counts as a use, not as a close: as a rule, programs call it to prevent such races.
// Moreover, whether the number is open may depend on a close by another thread that has not taken its step yet.
void lab_replace_descriptor(int file, uint64_t caller) { access_entry(file, 0, 0, caller); }

// Notes that the C library closes the descriptor of a stream or a folder. It counts as a close, but accesses no entry.
static void note_library_close(int file, const char *name, uint64_t site) {
    if (lab_is_runtime_code(site)) return;
    lab_note_call(name);
    lab_note_closed(file);
    if (!is_followed(file)) return;
    table->closes[file]++;
    table->has_closed = 1;
}

EXPORTED int fclose(FILE *stream) {
    note_library_close(stream->_fileno, "fclose", SITE);
    return REAL(fclose, int, FILE *)(stream);
}

EXPORTED int closedir(DIR *folder) {
    // According to the header, the argument is never null; in a program, it may be. Without 'volatile', the compiler
    // would drop the test.
    DIR *volatile given = folder;
    if (given) note_library_close(dirfd(folder), "closedir", SITE);
    return REAL(closedir, int, DIR *)(folder);
}

#endif
