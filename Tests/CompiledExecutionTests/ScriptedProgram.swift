import CCompiled
import CompiledExecution

/// A program for the engine that is a list of requests for each thread, in place of compiled code.
///
/// The engine calls functions of C, which have no context: there is one such program at a time.
final class ScriptedProgram {
    nonisolated(unsafe) private static var current: ScriptedProgram?

    private let threads: [[compiled_request_t]]
    private let program: UnsafeMutablePointer<compiled_program_t>
    private let request = UnsafeMutablePointer<compiled_request_t>.allocate(capacity: 1)
    private let granules: UnsafeMutablePointer<compiled_granule_t>
    private let bytes = UnsafeMutableRawPointer.allocate(byteCount: 64 + codeSize, alignment: 8)
    private let depths = UnsafeMutablePointer<UInt32>.allocate(capacity: mostThreads)
    private let firsts = UnsafeMutablePointer<compiled_firsts_t>.allocate(capacity: 1)
    private static let mostThreads = 16
    private static let codeSize = 64
    private var positions: [Int] = []
    private var started = 0
    /// The requests of the present execution that are done, in their order: the thread, from 0, and the number.
    private(set) var done: [(thread: Int, number: Int)] = []

    /// - Parameters:
    ///   - threads: what each thread asks for, which the main thread starts and joins.
    ///   - learned: see `compiled_granule_t`, by the granule's number.
    init(_ threads: [[compiled_request_t]], learned: [UInt64: UInt8]) {
        self.threads = threads
        let capacity = 64
        granules = .allocate(capacity: capacity)
        granules.initialize(repeating: compiled_granule_t(), count: capacity)
        bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 64 + Self.codeSize)
        program = .allocate(capacity: 1)
        program.initialize(to: compiled_program_t())
        program.pointee.version = UInt32(COMPILED_VERSION)
        program.pointee.most_threads = UInt32(Self.mostThreads)
        firsts.initialize(to: compiled_firsts_t())
        depths.initialize(repeating: 0, count: Self.mostThreads)
        program.pointee.stack_depths = depths
        program.pointee.place_count = UInt64(Self.codeSize)
        program.pointee.firsts = firsts
        program.pointee.shared_places = (bytes + 64).assumingMemoryBound(to: UInt8.self)
        program.pointee.notes = bytes.assumingMemoryBound(to: UInt8.self)
        program.pointee.granules = granules
        program.pointee.granule_capacity = UInt64(capacity)
        for (number, bits) in learned {
            let entry = compiled_granule(program, number)!
            entry.pointee = compiled_granule_t(number: number, learned: bits, seen: bits)
        }
        program.pointee.begin = { _ in ScriptedProgram.current!.begin() }
        program.pointee.resume = { thread, _ in ScriptedProgram.current!.resume(Int(thread)) }
        program.pointee.end = {}
        program.pointee.take_missed = { 0 }
        program.pointee.disturb = { _ in }
        program.pointee.stop_watching = {}
        program.pointee.has_libraries = { 0 }
        program.pointee.keep_libraries = {}
        program.pointee.lost = { _, _, _ in 0 }
        program.pointee.peek = { _, _ in 0 }
        program.pointee.read_word = { _, _ in 0 }
        program.pointee.frames = { _, _ in -1 }
        program.pointee.stack = { _, _, _ in 0 }
        program.pointee.owner = { _, _ in -1 }
        Self.current = self
    }

    deinit {
        program.deallocate()
        granules.deallocate()
        request.deallocate()
        bytes.deallocate()
        depths.deallocate()
        firsts.deallocate()
    }

    var hosted: CompiledProgram {
        CompiledProgram(HostedProgram(program), path: "./scripted", words: "", in: nil, version: "")
    }

    private func begin() {
        positions = Array(repeating: -1, count: threads.count)
        started = 0
        done = []
    }

    private func resume(_ thread: Int) -> UnsafeMutablePointer<compiled_request_t> {
        request.initialize(to: thread == 0 ? nextOfMain() : next(of: thread - 1))
        return request
    }

    private func nextOfMain() -> compiled_request_t {
        started += 1
        if started <= threads.count { return compiled_request_t(compiled_spawn) }
        var next = compiled_request_t(started <= 2 * threads.count ? compiled_join : compiled_ended)
        if next.kind == compiled_join { next.a = Int64(started - threads.count) }
        return next
    }

    private func next(of thread: Int) -> compiled_request_t {
        if positions[thread] >= 0 { done.append((thread, positions[thread])) }
        positions[thread] += 1
        guard positions[thread] < threads[thread].count else { return compiled_request_t(compiled_ended) }
        return threads[thread][positions[thread]]
    }
}

extension compiled_request_t {
    init(_ kind: compiled_kind_t, _ object: UInt64 = 0, size: UInt64 = 0) {
        self.init()
        self.kind = kind
        self.object = object
        self.size = size
        order = 5
        failure_order = 5
        b = Int64.max
    }
}
