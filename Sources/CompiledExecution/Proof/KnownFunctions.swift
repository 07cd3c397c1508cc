/// Library functions and variables that are known to touch no memory that threads share. They use only their arguments,
/// constants and memory of their own thread, or the runtime makes their accesses to shared memory visible.
///
/// A function that the runtime replaces is defined in the program's own file, and so needs no entry; a few have one
/// nevertheless. A name that is not listed counts as unknown, and prevents a proof.
enum KnownFunctions {
    static func contains(_ name: String) -> Bool {
        names.contains(name) || prefixes.contains { name.hasPrefix($0) } || isMathematics(name)
    }

    private static let names: Set<String> = Set(
        // Program start, the linker and the compiler.
        """
        __gmon_start__ __cxa_finalize __cxa_atexit __stack_chk_fail __libc_start_main __errno_location _dl_allocate_tls
        __libc_single_threaded __tls_get_addr
        """.words
            // Used by the runtime itself, which replaces them for the program where they are not harmless.
            + """
            __libc_malloc __libc_calloc __libc_realloc __libc_memalign __libc_free dl_iterate_phdr dlerror dlvsym environ
            __environ strerror error_message_count error_print_progname program_invocation_name
            program_invocation_short_name __progname __progname_full fflush fputc
            dirfd
            _longjmp _Unwind_GetGR _Unwind_ForcedUnwind _Unwind_GetCFA _Unwind_Backtrace _Unwind_GetIPInfo __pthread_cleanup_routine
            __gcc_personality_v0 stdin stdout stderr
            """.words
                // C and POSIX: functions of values alone.
                + """
                abs labs llabs div ldiv lldiv isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper
                isxdigit tolower toupper __ctype_b_loc __ctype_tolower_loc __ctype_toupper_loc htonl htons ntohl ntohs
                pthread_self pthread_equal thrd_equal feof ferror optarg optind opterr optopt getuid geteuid getgid getegid difftime sched_get_priority_max sched_get_priority_min getpagesize putchar putc
                setjmp _setjmp __sigsetjmp longjmp siglongjmp __libc_current_sigrtmin __libc_current_sigrtmax __cmsg_nxthdr
                """.words
                // C++: exceptions belong to their thread, and their memory comes from malloc.
                + """
                __gxx_personality_v0 __cxa_allocate_exception __cxa_free_exception __cxa_throw __cxa_rethrow __cxa_begin_catch
                __cxa_end_catch __cxa_get_exception_ptr __cxa_pure_virtual _Unwind_Resume __cxa_init_primary_exception __cxa_thread_atexit
                _Znwm _Znam _ZnwmRKSt9nothrow_t _ZnamRKSt9nothrow_t _ZSt7nothrow _ZSt18uncaught_exceptionv _ZSt19uncaught_exceptionsv
                _ZNSt9exceptionD1Ev _ZNSt9exceptionD2Ev _ZNKSt9exception4whatEv _ZNSt13__future_base12_Result_baseC2Ev _ZNSt13__future_base12_Result_baseD2Ev
                _ZSt15future_categoryv _ZSt11__once_call _ZSt15__once_callable __once_proxy _ZSt9terminatev _ZSt17current_exceptionv _ZNSt15__exception_ptr13exception_ptrC1EPv
                _ZNSt16nested_exceptionD1Ev _ZNSt16nested_exceptionD2Ev
                _ZNSt8bad_castD1Ev _ZNSt8bad_castD2Ev _ZNKSt8bad_cast4whatEv _ZNKSt9bad_alloc4whatEv __cxa_bad_cast __cxa_bad_typeid
                __cxa_throw_bad_array_new_length _ZnwmSt11align_val_t _ZnamSt11align_val_t _ZnwmSt11align_val_tRKSt9nothrow_t
                _ZnamSt11align_val_tRKSt9nothrow_t
                """.words
                // C++ streams: used at the start and the end of the program, and constant until a program sets a
                // locale.
                + """
                _ZSt4cout _ZSt4cerr _ZSt4clog _ZNSt8ios_base4InitC1Ev _ZNSt8ios_base4InitD1Ev _ZNKSt5ctypeIcE13_M_widen_initEv
                _ZNSt6localeC1Ev _ZNSt6localeD1Ev _ZNKSt6locale2id5_M_idEv _ZNSt5ctypeIcE2idE _ZNSt7__cxx117collateIcE2idE
                _ZNSt11regex_errorD1Ev _ZNSt11regex_errorD2Ev _ZSt3cin
                """.words)

    /// Prefixes of mangled names: type information and virtual tables, the functions `std::__throw_…` (with the length
    /// of each name), destructors of exceptions, and functions for threads and clocks, which consist of controlled
    /// calls.
    private static let prefixes = [
        "_ZTI", "_ZTS", "_ZTV", "_ZTT", "_ITM_", "_ZSt20__throw_", "_ZSt19__throw_", "_ZSt16__throw_", "_ZSt17__throw_",
        "_ZSt21__throw_", "_ZSt22__throw_", "_ZSt23__throw_",
        "_ZSt24__throw_", "_ZSt25__throw_", "_ZSt26__throw_", "_ZSt27__throw_", "_ZSt28__throw_", "_ZNSt6thread",
        "_ZNSt18condition_variable",
        // Futures, and std::atomic_load for a std::shared_ptr: they use futexes, and mutexes of the library.
        "_ZNSt28__atomic_futex_unsigned_base", "_ZNSt10_Sp_locker",
        // `std::bind`: constants without content.
        "_ZNSt12placeholders",
        "_ZNSt6chrono3_V2",
        "_ZNSt3_V2",
        "_ZNSt12domain_errorD", "_ZNSt16invalid_argumentD", "_ZNSt12length_errorD", "_ZNSt12out_of_rangeD",
        "_ZNSt11range_errorD",
        "_ZNSt14overflow_errorD", "_ZNSt15underflow_errorD", "_ZNSt12future_errorD", "_ZNSt12system_errorD",
        "_ZNSt12bad_weak_ptrD",
        "_ZNSt9bad_allocD",
        // `std::allocator<char>`, which has no content.
        "_ZNSaIcEC", "_ZNSaIcED", "_ZNSaIwEC", "_ZNSaIwED",
    ]

    /// Functions of numbers alone, for `double`, and with suffixes for `float` and `long double`.
    private static func isMathematics(_ name: String) -> Bool {
        mathematics.contains(name)
            || (name.hasSuffix("f") || name.hasSuffix("l")) && mathematics.contains(String(name.dropLast()))
    }

    private static let mathematics: Set<String> = Set(
        """
        sin cos tan asin acos atan atan2 sinh cosh tanh exp exp2 expm1 log log2 log10 log1p pow sqrt cbrt hypot floor ceil trunc round
        lround llround rint lrint llrint nearbyint fabs fmod remainder fmin fmax fdim fma copysign ldexp scalbn erf erfc tgamma
        """.words)
}

/// The source files that need not be instrumented. Those of threadlab's runtime are not listed: a symbol in each of
/// them (`process/state.h`) makes it count as instrumented.
enum KnownSources {
    /// Files that the compiler and the C library add to programs.
    private static let everywhere: Set<String> = [
        "crtstuff.c", "Scrt1.o", "crt1.o", "tsan_preinit.cpp",
    ]

    /// The first source file that was compiled without instrumentation and is not one of `everywhere`.
    ///
    /// - Parameter sources: the source files, and whether the code of each is instrumented and so reports its accesses.
    static func firstUnknown(_ sources: [(name: String, isInstrumented: Bool)]) -> String? {
        sources.first { !$0.isInstrumented && !everywhere.contains($0.name) }?.name
    }
}

extension String {
    fileprivate var words: [String] { split(whereSeparator: \.isWhitespace).map(String.init) }
}
