// Finds the files with instrumented code: the program's own, and libraries that were compiled in the same way. Each
// byte of their code gets a number, its place, by which accesses are marked as steps.
#if defined(__x86_64__) // no other processor is supported yet
#define _GNU_SOURCE
#include "process/state.h"
#include <link.h>
#include <string.h>

// A file's dynamic symbols and their names, as its dynamic section describes them.
typedef struct {
    const ElfW(Sym) *symbols, *end;
    const char *names;
    uint64_t name_size;
} symbols_t;

// Converts an address from a dynamic section to one in memory. The loader has adjusted most of these addresses in
// place, but not those of the kernel's own file (the vDSO).
static uint64_t located(const struct dl_phdr_info *module, uint64_t address) {
    return address < module->dlpi_addr ? address + module->dlpi_addr : address;
}

// The end of the symbols, whose number the dynamic section does not contain. Linkers put the names behind them, in the
// same segment. Some tools move the names elsewhere: then the end of the segment is taken, and other data is read as
// symbols, too. That does no harm, because only files that use or define __tsan_init contain this name.
static const ElfW(Sym) *end_of(const struct dl_phdr_info *module, const symbols_t *known) {
    uint64_t first = (uint64_t)known->symbols, names = (uint64_t)known->names;
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        uint64_t start = module->dlpi_addr + part->p_vaddr, end = start + part->p_filesz;
        if (part->p_type != PT_LOAD || first < start || first >= end) continue;
        return (const ElfW(Sym) *)(names > first && names < end ? names : end);
    }
    return known->symbols;
}

static symbols_t symbols_of(const struct dl_phdr_info *module) {
    symbols_t found = {0};
    for (int i = 0; i < module->dlpi_phnum; i++) {
        if (module->dlpi_phdr[i].p_type != PT_DYNAMIC) continue;
        const ElfW(Dyn) *entry = (const ElfW(Dyn) *)(module->dlpi_addr + module->dlpi_phdr[i].p_vaddr);
        for (; entry->d_tag != DT_NULL; entry++) {
            uint64_t address = located(module, entry->d_un.d_ptr);
            if (entry->d_tag == DT_SYMTAB) found.symbols = (const ElfW(Sym) *)address;
            if (entry->d_tag == DT_STRTAB) found.names = (const char *)address;
            if (entry->d_tag == DT_STRSZ) found.name_size = entry->d_un.d_val;
        }
    }
    found.end = end_of(module, &found);
    return found;
}

// Whether the file is instrumented: each such file imports this function of the runtime.
static int is_instrumented(const struct dl_phdr_info *module) {
    static const char used[] = "__tsan_init";
    symbols_t known = symbols_of(module);
    if (!known.symbols || !known.names) return 0;
    for (const ElfW(Sym) *symbol = known.symbols; symbol + 1 <= known.end; symbol++) {
        if (symbol->st_shndx != SHN_UNDEF || symbol->st_name + sizeof used > known.name_size) continue;
        if (memcmp(known.names + symbol->st_name, used, sizeof used) == 0) return 1;
    }
    return 0;
}

// The file's segment of code, or null if it has none.
static const ElfW(Phdr) *code_of(const struct dl_phdr_info *module) {
    for (int i = 0; i < module->dlpi_phnum; i++) {
        const ElfW(Phdr) *part = &module->dlpi_phdr[i];
        if (part->p_type == PT_LOAD && part->p_flags & PF_X) return part;
    }
    return NULL;
}

// How far below the thread pointer the file's thread-local variables begin, if they are among those that each thread has
// from its beginning. Otherwise 0.
static uint64_t variables_of(const struct dl_phdr_info *module) {
    uint64_t distance = lab_state->host_storage - (uint64_t)module->dlpi_tls_data;
    return module->dlpi_tls_data && distance <= lab_state->storage_size ? distance : 0;
}

// Called for each loaded file: adds it to the program's files if it is the program, the runtime, or instrumented, and
// there is room for it. The number of a place has to fit into 32 bits (accesses.c).
static int find_code(struct dl_phdr_info *module, size_t size, void *unused) {
    (void)size, (void)unused;
    compiled_program_t *program = &lab_state->program;
    const ElfW(Phdr) *code = code_of(module);
    if (!code) return 0;
    uint64_t start = module->dlpi_addr + code->p_vaddr;
    int is_runtime = (uint64_t)__start_lab_text - start < code->p_memsz;
    // The program itself is the first of the loaded files.
    int is_known = !program->file_count || is_runtime || is_instrumented(module);
    if (!is_known || program->file_count == COMPILED_MOST_FILES || program->place_count + code->p_memsz > INT32_MAX) return 0;
    program->files[program->file_count] = (compiled_file_t){
        .start = start,
        .size = code->p_memsz,
        .first_place = program->place_count,
        .load_offset = module->dlpi_addr,
        .path = program->file_count ? module->dlpi_name : "/proc/self/exe",
        .is_runtime = is_runtime && program->file_count,
        .variables = variables_of(module),
    };
    program->file_count++;
    // A multiple of eight, because the engine reads eight marks at once.
    program->place_count += (code->p_memsz + 7) & ~(uint64_t)7;
    return 0;
}

static void find_files(void) { dl_iterate_phdr(find_code, NULL); }
// Before make_places, which allocates a byte for each place; after make_fibers, which measures thread-local variables.
LAB_PHASE(lab_with_engine, LAB_EARLY + 2, find_files);

#endif
