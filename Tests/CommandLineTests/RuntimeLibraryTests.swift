import Support
import Testing

/// The library that is linked into compiled programs, by its object files.
@Suite struct RuntimeLibraryTests {
    /// The functions that programs call (weak, so that a program can have its own), and the files that define them.
    private func definitions() throws -> [Substring: Set<Substring>] {
        var files: [Substring: Set<Substring>] = [:]
        let lines = try Invocation(program: "/usr/bin/nm", arguments: ["-A", "--defined-only", Programs.runtime]).run()
            .exits(with: 0).output
        for line in lines.split(separator: "\n") {
            guard let match = line.firstMatch(of: /libtsan\.a:([^:]+):[0-9a-f]+ W (.+)$/) else { continue }
            // What the compiler adds for exceptions is the same in each file.
            if !match.2.hasPrefix("DW.ref.") { files[match.2, default: []].insert(match.1) }
        }
        return files
    }

    /// The linker would take one of two, and say nothing.
    @Test func `no function that programs call is defined in two files`() throws {
        let files = try definitions()
        #expect(files.count > 400)
        for (name, places) in files where places.count > 1 { Issue.record("\(name): \(places.sorted())") }
    }

    /// Those that the runtime calls itself, for its own memory, or after it has noted what they access for the program.
    private static let calledByRuntime = Set(
        """
        _exit _ZdaPv _ZdaPvSt11align_val_t _ZdlPv _ZdlPvSt11align_val_t _ZSt9use_facetISt5ctypeIcEERKT_RKSt6locale
        abort bcmp calloc closedir dlmopen exit fclose fcntl fgets fopen fprintf free fwrite getauxval getenv getpid
        gettid madvise malloc memcpy memmove memset mmap munmap open opendir pthread_attr_getdetachstate
        pthread_attr_getstacksize pthread_cond_broadcast pthread_cond_destroy pthread_cond_init pthread_cond_signal
        pthread_cond_timedwait pthread_cond_wait pthread_detach pthread_exit pthread_getspecific pthread_join
        pthread_key_delete pthread_mutex_destroy pthread_mutex_init pthread_mutex_lock pthread_mutex_timedlock
        pthread_mutex_trylock pthread_mutex_unlock pthread_mutexattr_destroy pthread_mutexattr_init
        pthread_mutexattr_settype pthread_once pthread_self pthread_setspecific readdir
        realloc sched_yield setenv sigaction sigaddset sigdelset sigemptyset snprintf strchr strdup strlen strncmp
        strstr strtol strtoul syscall unsetenv vdprintf vfprintf vwarn vwarnx
        """.split(whereSeparator: \.isWhitespace))

    /// A function finds the code that has called it by its return address. If that is the runtime's code, it notes no
    /// accesses, and races would be missed.
    @Test func `the runtime calls few of them itself`() throws {
        let exported = Set(try definitions().keys)
        let lines = try Invocation(program: "/usr/bin/objdump", arguments: ["-r", "-j", "lab_text", Programs.runtime])
            .run().exits(with: 0).output
        let called = Set(lines.matches(of: /R_X86_64_PLT32 +(\w+)-0x/).map(\.1)).intersection(exported)
        #expect(called.subtracting(Self.calledByRuntime).sorted() == [])
    }
}
