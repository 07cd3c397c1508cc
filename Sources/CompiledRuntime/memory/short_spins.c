// The loop in which libstdc++ spins before it waits in the system: std::__detail::__atomic_spin, of std::barrier,
// std::latch, std::counting_semaphore and std::atomic::wait. It tests a condition up to 16 times. Each load would be a
// step, so that a write by another thread could come at 16 moments, which differ in the loop's counter alone.
//
// So if a pass loads what the thread has loaded in its last step, with no step in between, the load takes no step: it
// reads the same value. Nothing is missed. If a write comes between two passes, the loop ends as if it had begun after the
// write, and the loads before it have changed nothing. That execution has its steps, too.
//
// This is known of that function only: another loop could do something else in its 16th pass, or return its number.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <elf.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

// The maximum number of instances of the function. Others are loops like any other.
enum { MOST_LOOPS = 64, MOST_BYTES = 4096 };
static const char loop_name[] = "_ZNSt8__detail13__atomic_spinI";

// The code of an instance. Static memory: the same in all processes, and never written by an execution.
static struct {
    uint64_t start, size;
} loops[MOST_LOOPS];
static int loop_count;

// frame: the frame of the call of the loop in which the thread is, or null. object, site: its last step, if that was a
// load in the loop; otherwise 0.
typedef struct {
    const void *frame;
    uint64_t object, site;
} spin_t;
LAB_EACH_THREAD(spin_t, spins);

// MARK: - Where the loops are

// The section's contents, or null if they are not in the file.
static const void *contents(const char *file, uint64_t size, const Elf64_Shdr *section) {
    if (section->sh_offset > size || section->sh_size > size - section->sh_offset) return NULL;
    return file + section->sh_offset;
}

static void note_loops(const char *file, uint64_t size, uint64_t load_offset) {
    const Elf64_Ehdr *header = (const Elf64_Ehdr *)file;
    if (size < sizeof *header || memcmp(header->e_ident, ELFMAG, SELFMAG) != 0) return;
    const Elf64_Shdr *sections = (const Elf64_Shdr *)(file + header->e_shoff);
    if (header->e_shoff > size || header->e_shnum > (size - header->e_shoff) / sizeof *sections) return;
    for (int i = 0; i < header->e_shnum; i++) {
        if (sections[i].sh_type != SHT_SYMTAB || sections[i].sh_link >= header->e_shnum) continue;
        const Elf64_Shdr *texts = &sections[sections[i].sh_link];
        const Elf64_Sym *symbols = contents(file, size, &sections[i]);
        const char *names = contents(file, size, texts);
        if (!symbols || !names) continue;
        for (uint64_t number = 0; number < sections[i].sh_size / sizeof *symbols; number++) {
            const Elf64_Sym *symbol = &symbols[number];
            if (symbol->st_name + sizeof loop_name > texts->sh_size || loop_count == MOST_LOOPS) continue;
            if (memcmp(names + symbol->st_name, loop_name, sizeof loop_name - 1) != 0) continue;
            int is_here = ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF;
            if (!is_here || symbol->st_size > MOST_BYTES) continue;
            loops[loop_count].start = load_offset + symbol->st_value;
            loops[loop_count++].size = symbol->st_size;
        }
    }
}

// Reads the symbols of the program's files. System calls: a function of the C library would count as one that the
// program uses.
static void find_loops(void) {
    for (uint32_t i = 0; i < lab_state->program.file_count; i++) {
        const compiled_file_t *file = &lab_state->program.files[i];
        if (file->is_runtime) continue;
        long descriptor = lab_system(SYS_open, (uint64_t)file->path, O_RDONLY | O_CLOEXEC, 0, 0, 0, 0);
        if (descriptor < 0) continue;
        long size = lab_system(SYS_lseek, (uint64_t)descriptor, 0, SEEK_END, 0, 0, 0);
        long text = size <= 0 ? -1 : lab_system(SYS_mmap, 0, (uint64_t)size, PROT_READ, MAP_PRIVATE, (uint64_t)descriptor, 0);
        if (text > 0) {
            note_loops((const char *)text, (uint64_t)size, file->load_offset);
            lab_system(SYS_munmap, (uint64_t)text, (uint64_t)size, 0, 0, 0, 0);
        }
        lab_system(SYS_close, (uint64_t)descriptor, 0, 0, 0, 0, 0);
    }
}
// After find_files.
LAB_PHASE(lab_with_engine, LAB_ANY, find_loops);

static int is_in_loop(uint64_t site) {
    for (int i = 0; i < loop_count; i++) {
        if (site - loops[i].start < loops[i].size) return 1;
    }
    return 0;
}

// MARK: - What threads do there

void lab_enter_function(uint64_t site, const void *frame) {
    if (loop_count && is_in_loop(site)) spins[lab_state->current] = (spin_t){.frame = frame};
}

void lab_leave_function(uint64_t site) {
    if (loop_count && is_in_loop(site)) spins[lab_state->current] = (spin_t){0};
}

int lab_repeats_load(const compiled_request_t *request) {
    if (!loop_count) return 0;
    const spin_t *spin = &spins[lab_state->current];
    // A jump may have left the loop.
    if ((const void *)&spin >= spin->frame) return 0;
    return spin->object == request->object && spin->site == request->site;
}

void lab_note_load(const compiled_request_t *request) {
    if (!loop_count) return;
    spin_t *spin = &spins[lab_state->current];
    if ((const void *)&spin >= spin->frame) return;
    spin->object = request->object;
    spin->site = request->site;
}

int lab_spins_shortly(void) {
    const spin_t *spin = &spins[lab_state->current];
    return loop_count && spin->object && (const void *)&spin < spin->frame;
}

static void begin_step(fiber_t *running, compiled_request_t *request) {
    (void)running, (void)request;
    spins[lab_state->current].object = 0;
}
LAB_BEFORE_STEP(LAB_ANY, begin_step);

#endif
