import Authoring

/// How deeply a thread can nest calls, and what happens beyond that.
struct StackSize: Scenario {
    static let name = "stack-size"
    static let summary = "A thread calls itself many times, on stacks of different sizes."
    static let lesson = """
        Each thread has a stack of its own, whose size is fixed before the thread starts. Each call takes some of it, \
        and what is too deep runs into the guard below the stack: the process dies, with all its threads, and no \
        error is thrown that could be caught. The main thread has 8 MiB here, and so has every other thread by \
        default; on other systems it is 512 KiB. A thread that recurses deeply needs more, and a program with \
        thousands of threads may want less.

        The guide asks for a multiple of the page size, and at least 16 KiB. POSIX requires the minimum only \
        (`PTHREAD_STACK_MIN`, 16 KiB here), and some systems refuse a size that is no multiple; glibc accepts it. \
        threadlab refuses both, on every system, and then no thread is created. How deep a size lets you go depends on \
        the compiler: measure it, and leave a reserve.
        """
    static let guide: Guide? = .threads("Configuring the Stack Size of a Thread")
    static let source = #fileID
    static let realThreadsOnly: String? = "because the scheduler gives every thread at least 8 MiB"

    enum Variant: String, ScenarioVariant {
        case tooSmall = "too-small"
        case large
        case refused

        var summary: String {
            switch self {
            case .tooSmall: "the stack is smaller than the calls need: the process dies"
            case .large: "the stack is large enough, and the thread measures what it has used"
            case .refused: "a size below the minimum, one that is no multiple of a page: no thread is created"
            }
        }

        var expectation: Expectation { self == .tooSmall ? .must(.crash) : .completes }

        var unusedParameters: Set<String> {
            switch self {
            case .tooSmall: ["large"]
            case .large: ["small"]
            case .refused: ["small", "large", "calls"]
            }
        }
    }

    @Parameter("variant of the program") var variant = Variant.tooSmall
    @Parameter("number of nested calls", in: 1000...5000) var calls = 1000
    @Parameter("bytes of the small stack", in: 65_536...131_072) var small = 65_536
    @Parameter("bytes of the large stack", in: 8_388_608...1_073_741_824) var large = 8_388_608

    func run() throws {
        switch variant {
        case .tooSmall: try recurse(onStackOf: small)
        case .large: try recurse(onStackOf: large)
        case .refused:
            try refuse(ThreadAttributes.minimumStackSize - 4096)
            try refuse(ThreadAttributes.minimumStackSize + 1)
        }
    }

    private func recurse(onStackOf size: Int) throws {
        let worker = try Thread.returning("worker", ThreadAttributes(stackSize: size)) {
            let used = Self.descend(calls, from: nil)
            note("\(calls) calls used \(used / 1024) KiB of \(size / 1024)")
            return used
        }
        try check(worker.join() < size, "more was used than the stack has")
    }

    /// Each call keeps some bytes on the stack.
    ///
    /// - Returns: the distance between the first call's bytes and the last one's.
    @inline(never) private static func descend(_ depth: Int, from first: Int?) -> Int {
        withUnsafeTemporaryAllocation(byteCount: 256, alignment: 16) { own in
            let here = Int(bitPattern: own.baseAddress)
            own.initializeMemory(as: UInt8.self, repeating: UInt8(truncatingIfNeeded: depth))
            if depth == 0 { return abs((first ?? here) - here) }
            let used = descend(depth - 1, from: first ?? here)
            // Reads the bytes after the call, so that they are needed until then.
            return own[depth & 255] == UInt8(truncatingIfNeeded: depth) ? used : 0
        }
    }

    private func refuse(_ size: Int) throws {
        do {
            try Thread("refused", ThreadAttributes(stackSize: size)) {}.join()
            try check(false, "a stack of \(size) bytes was accepted")
        } catch let refusal as ThreadCreationFailed { note("refused: \(refusal)") }
    }
}
