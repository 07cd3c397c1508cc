import Execution
import Glibc
import LabSyntax
import Machine
import Synchronization
import Trace

/// One run of a `.lab` program on a runtime, with real threads or under the controlled scheduler: its objects, and the
/// words that its threads share.
///
/// The words are plain memory, like a program's cells: on real threads, a race on a list is a real race.
final class LabRun: @unchecked Sendable {
    let bytecode: Bytecode
    let runtime: RuntimeReference
    let interpreter: Interpreter
    /// By the bytecode's number: the runtime's objects. Number 0 stands for none.
    private(set) var objects: [RuntimeObject] = [.none]
    let shared: OwnedBuffer<Int>
    private let file: SourceSite
    /// The threads that exist from the start, by the machine's numbers. The main thread writes this before these
    /// threads continue.
    private var handles = [RuntimeObject.none]
    /// The threads that have started and not ended, as the controlled scheduler sees them. Nil on real threads.
    private var shown: ShownThreads?
    /// Nil if the program makes no claims: an allocation would take a noticeable part of a short run.
    private let ownBrokenClaims: UnsafeMutablePointer<BrokenClaims>?
    /// Whether the values that assertions read must be kept.
    private let hasAssertions: Bool
    /// Whether the tests of waiting threads are recorded (`TestingWaiter`).
    let hasWaitTests: Bool
    /// By the text of a list: its number in the recording. Used on real threads. Nil: nothing is recorded, or there are
    /// no lists.
    let listTexts: Guarded<[String: Int]>?
    /// The threads that wait on a condition while a test is true.
    let waiters = Guarded<[TestingWaiter]>([])
    /// Whether all threads that exist from the start have been created. Before that, none of them may look up another.
    private let hasBegun = Atomic(false)

    init(_ bytecode: Bytecode, _ runtime: RuntimeReference) {
        self.bytecode = bytecode
        self.runtime = runtime
        runtime.retain()
        shared = OwnedBuffer(bytecode.initialWords)
        interpreter = Interpreter(bytecode, shared: shared.base)
        ownBrokenClaims = bytecode.claims.isEmpty ? nil : .allocate(capacity: 1)
        ownBrokenClaims?.initialize(to: BrokenClaims(capacity: bytecode.claims.count))
        hasAssertions = !bytecode.assertedReads.isEmpty && runtime.isRecording
        hasWaitTests = !bytecode.waitTests.isEmpty && runtime.isRecording
        listTexts = !bytecode.listStart.isEmpty && runtime.isRecording ? Guarded([:]) : nil
        file = runtime.with { $0.site(inFileNamed: bytecode.program.source.name, line: 0) }
        for object in bytecode.objects {
            objects.append(
                runtime.makeObject(
                    object.kind, shownAs: object.shown, name: object.name, value: object.value,
                    at: site(object.line)))
        }
        for (index, object) in bytecode.objects.enumerated() {
            guard let owner = object.owner else { continue }
            runtime.with { $0.declarePart(objects[index + 1], of: objects[owner]) }
        }
    }

    /// Gives the controlled scheduler a view of the program's state, so that it can find cycles. The view is valid
    /// until the run ends.
    func showState(to runtime: ControlledRuntime) {
        shown = ShownThreads(driver: runtime.driver, count: bytecode.threads.count + 1)
        runtime.driver.program = ProgramView(
            hash: { [unowned(unsafe) self] leavesOutCounters in
                var hash = ProgramHash(bytecode, shared: shared.base)
                let counters = leavesOutCounters ? bytecode.counters : .none
                for case let words? in shown!.words { hash.add(words, leavingOut: counters) }
                return hash.value
            }, counters: machineCounters, hasExpectations: bytecode.hasExpectations,
            judgesOnTheWay: bytecode.judgesOnTheWay,
            waitsBesideLoops: bytecode.waitsBesideLoops,
            makesProgress: { [unowned(unsafe) self] thread in
                shown!.numbers[thread].map { bytecode.makesProgress[$0] } ?? false
            },
            isUnfulfilled: { [unowned(unsafe) self] in bytecode.isUnfulfilled(shared.base) })
    }

    /// The words of a thread, which has the machine's number, under the controlled scheduler.
    func words(of thread: Int) -> UnsafeMutablePointer<Int>? {
        shown.flatMap { shown in shown.numbers[thread].flatMap { shown.words[$0] } }
    }

    /// By the machine's number of an object: whether it is a counter. Empty if the program has no counters.
    private var machineCounters: [Bool] {
        guard !bytecode.counters.isEmpty else { return [] }
        var flags = [Bool](repeating: false, count: 1 + Int(objects.map(\.id).max() ?? 0))
        for object in bytecode.counters.objects { flags[Int(objects[object].id)] = true }
        return flags
    }

    deinit {
        ownBrokenClaims?.deinitialize(count: 1)
        ownBrokenClaims?.deallocate()
        // Even if an object is in use: the run is over.
        for object in objects.dropFirst() { runtime.with { $0.discard(object, evenIf: true) } }
        runtime.release()
    }

    func site(_ line: Int) -> SourceSite { file.fileText.map { SourceSite(text: $0, line: line) } ?? .unknown }

    /// Runs a thread of the program to its end. Called on that thread.
    ///
    /// - Parameter number: nil for the main thread.
    func runThread(_ number: Int?) throws {
        let thread = number.map { bytecode.threads[$0] }
        let body = bytecode.bodies[thread?.body ?? bytecode.mainBody]
        let memory = OwnedBuffer<Int>(capacity: body.words)
        let words = memory.base
        defer { extendLifetime(memory) }
        ThreadWords.begin(words, body, index: thread?.index ?? 0)
        shown?.begin(number, words)
        defer { shown?.end(number) }
        if number != nil { waitForBeginning() }
        defer { if number == nil { hasBegun.store(true, ordering: .releasing) } }
        var watched: [Watched] = []
        var lastWrite: Int?
        var reads: [AssertedRead] = []
        var stop = Stop(.ended, line: 0)
        var operation = Operation(.yield)
        while true {
            let pause = try proceed(number ?? bytecode.threads.count, words, &operation, &stop)
            if let line = lastWrite { reviewWaiters(at: line) }
            lastWrite = nil
            switch pause {
            case .step:
                if number == nil { hasBegun.store(true, ordering: .releasing) }
                let line = Int(interpreter.line(of: words))
                if hasWaitTests, operation.kind.change != .none { lastWrite = line }
                let isTested = hasWaitTests && operation.kind == .wait && noteTest(of: operation, words, at: line)
                defer { if isTested { forgetTest() } }
                let result = try perform(showingList(operation, words), at: line, &watched)
                if hasAssertions && operation.kind.isLook { note(result, of: operation, words, &reads) }
                if try accept(result, of: operation, words, &stop) { continue }
                if stop.reason == .ended { return }
                throw error(of: stop, words, reads)
            case .end: return
            case .failure: throw error(of: stop, words, reads)
            }
        }
    }

    /// Waits until the main thread has created all threads that exist from the start. On real threads, the first of
    /// them already run meanwhile. That takes some microseconds.
    private func waitForBeginning() {
        while !hasBegun.load(ordering: .acquiring) { sched_yield() }
    }

    /// The error by which the runtime learns of a failure, as from a scenario in Swift.
    private func error(
        of stop: Stop, _ words: UnsafeMutablePointer<Int>, _ reads: [AssertedRead]
    ) -> any Error {
        let verdict = verdict(of: stop)
        let error: any Error =
            if stop.isOfClaim {
                claimFailed(stop)
            } else {
                switch verdict {
                case .livelock: NoProgress(message(of: stop, words), at: site(stop.line))
                case .assertion:
                    AssertionFailed(
                        message(of: stop, words) + values(ofAssertion: stop.a, words, reads), at: site(stop.line))
                case .error: ProgramError(message(of: stop, words), at: site(stop.line))
                case .completed, .deadlock, .misuse, .starvation, .leak, .race, .crash, .hang, .stepLimit, .endless,
                    .forever, .foreignThread, .stopped, .claim, .brokenClaim:
                    preconditionFailure("no instruction ends a run so")
                }
            }
        assert(ErrorEnding(error).verdict == verdict, "the engine ends the execution in another way")
        return error
    }

    // MARK: - Operations

    private func perform(_ announced: Operation, at line: Int, _ watched: inout [Watched]) throws -> Int {
        let site = site(line)
        if announced.isWatching { return try watch(announced, site, &watched) }
        var (operation, target) = inRuntime(announced)
        var mutex: RuntimeObject?
        if operation.kind == .wait {
            mutex = objects[operation.a]
            operation.a = Int(objects[operation.a].id)
        }
        // A thread that exists from the start has no seat: the first argument is its number.
        let isWithoutSeat = operation.object == 0 && (operation.kind == .join || operation.kind == .detach)
        if isWithoutSeat { target = handles[operation.a] }
        return try runtime.perform(operation, on: target, with: mutex, at: site)
    }

    /// The operation with the runtime's number of its object instead of the bytecode's, and that object.
    private func inRuntime(_ announced: Operation) -> (operation: Operation, target: RuntimeObject) {
        var operation = announced
        let object = objects[Int(announced.object)]
        operation.object = object.id
        return (operation, object)
    }

    // MARK: - Await

    /// A read of an `await`, and what it found.
    struct Watched {
        /// The object's number.
        var number: Int
        /// The value of a word, or a checksum of a list's values.
        var value: Int
    }

    /// Takes a read of an `await`. The first read of another attempt waits until something that the last attempt read
    /// has changed.
    private func watch(_ announced: Operation, _ site: SourceSite, _ watched: inout [Watched]) throws -> Int {
        let (operation, target) = inRuntime(announced)
        let number = Int(announced.object)
        if operation.isRenewedLook {
            let earlier = watched
            try runtime.with {
                try $0.system?.waitForChange(of: target, isSpinning: false, at: site) {
                    earlier.contains { self.value(of: $0.number) != $0.value }
                }
            }
        }
        if operation.b != Operation.Watch.further { watched.removeAll(keepingCapacity: true) }
        let result = try runtime.perform(operation, on: target, with: nil, at: site)
        let isList = bytecode.listStart[number] != nil
        watched.append(Watched(number: number, value: isList ? value(of: number) : result))
        return result
    }

    /// The current value of a word, or a checksum of a list's current values.
    private func value(of number: Int) -> Int {
        guard let start = bytecode.listStart[number] else { return word(of: UInt32(number)) }
        let count = min(max(shared[start], 0), Bytecode.listCapacity)
        // As in FNV-1a, with words in place of bytes.
        var sum = count
        for i in 0..<count { sum = (sum ^ shared[start + 1 + i]) &* 0x100_0000_01B3 }
        return sum
    }

    // MARK: - Claims

    /// Records the claims that do not hold, those that the program marks broken first, except the last: it is returned
    /// as the failure that ends the run.
    private func claimFailed(_ stop: Stop) -> ClaimFailed {
        let isExpected = { (claim: BrokenClaims.Claim) in self.bytecode.claims[claim.number].isBroken }
        let broken = brokenClaims.pointee.all
        let inOrder = broken.filter(isExpected) + broken.filter { !isExpected($0) }
        let errors = inOrder.map { number, hasValue in
            let claim = bytecode.claims[number]
            recordState(bytecode.brokenStates[number], claim.line)
            if case .linearizable = claim.kind { recordCalls(claim.line) }
            return ClaimFailed(
                hasValue ? claim.failure(with: values(of: claim)) : message(ofClaim: number, hasValue: false),
                isBroken: claim.isBroken,
                at: site(line(of: stop, claim: number)))
        }
        for error in errors.dropLast() {
            runtime.with { $0.record(error.event, 0, text: error.description, at: error.site) }
        }
        return errors.last!
    }

    /// Writes a note for each call: what it returned, and what it should have returned.
    private func recordCalls(_ line: Int) {
        guard runtime.isRecording else { return }
        for text in bytecode.reportOfCalls(shared.base) {
            runtime.with { $0.record(.note, 0, text: text, at: site(line)) }
        }
    }

    private func recordState(_ state: String?, _ line: Int) {
        guard let state, runtime.isRecording else { return }
        runtime.with { $0.record(.stateSeen, 0, text: state, at: site(line)) }
    }
}

extension LabRun: ProgramHost {
    typealias Failure = any Error

    var time: Int { runtime.with { $0.hiddenNow } }
    func word(of object: UInt32) -> Int { runtime.with { $0.word(of: objects[Int(object)]) } }

    func addThread(_ number: Int, at line: Int) throws {
        let thread = bytecode.threads[number]
        var attributes = ThreadAttributes()
        attributes.takesNoStep = true
        let handle = try runtime.startThread(
            named: thread.name, attributes, at: site(line), body: .plain { try self.runThread(number) })
        if thread.seat == 0 {
            handles.append(handle)
        } else {
            runtime.with { $0.seat(handle, on: objects[Int(thread.seat)]) }
        }
    }

    /// True under the controlled scheduler. On real threads, several variables cannot be read at one moment while other
    /// threads run, so claims are judged only at the end.
    var seesEachState: Bool { shown != nil }
    var brokenClaims: UnsafeMutablePointer<BrokenClaims> { ownBrokenClaims! }

    func note(_ text: CompiledText, _ values: UnsafePointer<Int>, at line: Int) {
        guard runtime.isRecording else { return }
        runtime.with { $0.record(.note, 0, text: text.text(values), at: site(line)) }
    }

    func noteProgress(of thread: Int, at line: Int) {
        shown?.noteProgress()
        if runtime.isRecording { runtime.with { $0.record(.threadProgress, 0, 0, at: site(line)) } }
    }

    func noteState(_ claim: CompiledClaim, value: Int) { recordState(claim.seenState(value), claim.line) }
}

/// The threads of a run under the controlled scheduler, which looks for cycles in their states.
struct ShownThreads {
    let driver: Driver
    /// By number in the program, the main thread last: the words of a thread that has started and not ended.
    private(set) var words: [UnsafeMutablePointer<Int>?]
    /// By the machine's number of a thread, its number in the program.
    private(set) var numbers: [Int: Int] = [:]

    init(driver: Driver, count: Int) {
        self.driver = driver
        words = Array(repeating: nil, count: count)
    }

    /// Notes that the current thread begins.
    ///
    /// - Parameter number: nil for the main thread.
    mutating func begin(_ number: Int?, _ words: UnsafeMutablePointer<Int>) {
        let number = number ?? self.words.count - 1
        self.words[number] = words
        numbers[driver.current] = number
    }

    /// Notes that the current thread ends.
    mutating func end(_ number: Int?) {
        words[number ?? words.count - 1] = nil
        numbers[driver.current] = nil
    }

    /// Notes that the current thread has passed a `progress`.
    func noteProgress() { driver.noteProgress(of: driver.current) }
}
