// Races of descriptors: a thread that closes one while another uses it, without order between the two, may close what a third one has opened
// under the same number. As in ThreadSanitizer, a use reads an entry, and closing writes it.
//
// A number is used again, and the system orders that. So each use of a number from its opening to its closing is of an entry of its own, and what
// depends on the order of the two is a word beside it, an atomic one, which orders nothing.
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

// By descriptor: how often it was closed. What is behind that is not followed.
enum { MOST_CLOSES = 1 << 15 };

static struct {
    // The execution has closed any.
    int has_closed;
    uint64_t closes[MOST_FILES];
    // By descriptor, and how often it was closed.
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

// The step by which it is found out whether the descriptor was closed before. Where there are such steps is learned of the number, in any order.
static void pass(int file, int closes, uint64_t caller) {
    uint64_t *word = &table->closes[file];
    if (lab_state->unjoined < 2 || !lab_learn_access(word, sizeof *word, closes, caller)) return;
    lab_note_atomic(word, sizeof *word, closes);
    lab_ask((compiled_request_t){
        .kind = closes ? compiled_store : compiled_load, .size = sizeof *word, .object = (uint64_t)word, .a = 1,
        .order = __ATOMIC_RELAXED, .failure_order = __ATOMIC_RELAXED, .site = caller, .text = "closes of descriptor", .line = (uint32_t)file});
}

static int is_followed(int file) { return is_controlled() && file >= 0 && file < MOST_FILES; }

static void access_entry(int file, int ends, int writes, uint64_t caller) {
    if (!is_followed(file)) return;
    pass(file, ends, caller);
    uint64_t number = table->closes[file];
    int is_open = !ends || lab_system(SYS_fcntl, (uint64_t)file, F_GETFD, 0, 0, 0, 0) >= 0;
    if (ends && is_open) table->closes[file]++, table->has_closed = 1;
    if (ends && is_open && lab_is_given(file)) lab_note_lasting("close", caller);
    // What is not open was closed before, perhaps by another thread, without order.
    if (!is_open && number > 0) number--;
    if (number >= MOST_CLOSES) return;
    lab_note_named_access(&table->entries[file][number], sizeof table->entries[file][number], writes, caller, "descriptor", (uint32_t)file);
}

void lab_use_descriptor(int file, uint64_t caller) { access_entry(file, 0, 0, caller); }

void lab_close_descriptor(int file, uint64_t caller) { access_entry(file, 1, 1, caller); }

// A program that puts another file there does so to prevent such races, as a rule. It is a use, and ends none: whether the number is open when the
// entry is found may depend on a close that has begun, and has taken no step yet.
void lab_replace_descriptor(int file, uint64_t caller) { access_entry(file, 0, 0, caller); }

// What a stream or a folder has is closed by the C library.
static void forget(int file, const char *name, uint64_t site) {
    if (lab_is_runtime_code(site)) return;
    lab_note_call(name);
    lab_note_closed(file);
    if (!is_followed(file)) return;
    table->closes[file]++;
    table->has_closed = 1;
}

EXPORTED int fclose(FILE *stream) {
    forget(stream->_fileno, "fclose", SITE);
    return REAL(fclose, int, FILE *)(stream);
}

EXPORTED int closedir(DIR *folder) {
    // The header says that there is one; a program may not.
    DIR *volatile given = folder;
    if (given) forget(dirfd(folder), "closedir", SITE);
    return REAL(closedir, int, DIR *)(folder);
}

#endif
