import Execution
import Glibc
import LabSyntax
import Machine
import Synchronization
import Trace

/// One run of a program: its objects, and the words that its threads share.
///
/// The words are plain memory, like the cells of a program: on real threads a race on a list is a real race.
final class LabRun: @unchecked Sendable {
    let bytecode: Bytecode
    let runtime: RuntimeReference
    let interpreter: Interpreter
    /// Number 0 means no object.
    private(set) var objects: [RuntimeObject] = [.none]
    private let shared: OwnedBuffer<Int>
    private let file: SourceSite
    /// The threads that exist from the start, by the machine's numbers. The main thread writes them before these
    /// threads continue.
    private var handles = [RuntimeObject.none]
    /// The threads that have started and not ended, for the controlled scheduler. Nil on real threads.
    private var shown: ShownThreads?
    /// Whether all threads that exist from the start have been created: before that, none of them may look up another.
    private let hasBegun = Atomic(false)

    init(_ bytecode: Bytecode, _ runtime: RuntimeReference) {
        self.bytecode = bytecode
        self.runtime = runtime
        runtime.retain()
        shared = OwnedBuffer(bytecode.initialWords)
        interpreter = Interpreter(bytecode, shared: shared.base)
        file = runtime.with { $0.site(inFileNamed: bytecode.program.source.name, line: 0) }
        for object in bytecode.objects {
            objects.append(
                runtime.makeObject(
                    object.kind, shownAs: object.shown, name: object.name, value: object.value,
                    at: site(object.line)))
        }
    }

    /// Lets the scheduler detect that the program returns to the same state. Must not be used after the run.
    func showState(to runtime: ControlledRuntime) {
        shown = ShownThreads(driver: runtime.driver, count: bytecode.threads.count + 1)
        runtime.driver.program = ProgramView(
            hash: { [unowned(unsafe) self] in
                var hash = ProgramHash(bytecode, shared: shared.base)
                for case let words? in shown!.words { hash.add(words) }
                return hash.value
            }, hasExpectations: bytecode.hasExpectations,
            waitsBesideLoops: bytecode.waitsBesideLoops,
            makesProgress: { [unowned(unsafe) self] thread in
                shown!.numbers[thread].map { bytecode.makesProgress[$0] } ?? false
            },
            isUnfulfilled: { [unowned(unsafe) self] in bytecode.isUnfulfilled(shared.base) })
    }

    deinit {
        for object in objects.dropFirst() { runtime.with { $0.forget(object) } }
        runtime.release()
    }

    func site(_ line: Int) -> SourceSite { file.fileText.map { SourceSite(text: $0, line: line) } ?? .unknown }

    /// Runs a thread of the program, or the main thread, to its end.
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
        var patience = Bytecode.patience
        var stop = Stop(.ended, line: 0)
        var operation = Operation(.yield)
        while true {
            stop.isTimed = false
            switch interpreter.advance(words, patience: &patience, &operation, &stop) {
            case .operation:
                patience = Bytecode.patience
                if number == nil { hasBegun.store(true, ordering: .releasing) }
                interpreter.complete(words, try perform(operation, stop, &watched))
            case .spawn:
                patience = Bytecode.patience
                try start(stop)
            case .note:
                patience -= 1000
                guard runtime.isRecording else { continue }
                let text = bytecode.texts[stop.a].text(words + stop.b)
                runtime.with { $0.record(.note, 0, text: text, at: site(stop.line)) }
            case .observe: try observe(stop)
            case .progress:
                shown?.noteProgress()
                if runtime.isRecording { runtime.with { $0.record(.threadProgress, 0, 0, at: site(stop.line)) } }
            case .review: try review()
            case .ended: return
            case .failed:
                let message = bytecode.message(of: stop, words)
                switch stop.failure.verdict {
                case .livelock: throw NoProgress(message, at: site(stop.line))
                case .assertion: throw AssertionFailed(message, at: site(stop.line))
                default: throw ProgramError(message, at: site(stop.line))
                }
            }
        }
    }

    /// On real threads the first ones already run while the main thread creates the others, which takes some
    /// microseconds.
    private func waitForBeginning() {
        while !hasBegun.load(ordering: .acquiring) { sched_yield() }
    }

    /// Starts a thread of the program: as a step, which fails if the seat is taken, or as part of the program's start.
    private func start(_ stop: Stop) throws {
        let number = stop.a
        let thread = bytecode.threads[number]
        let seat = objects[Int(thread.seat)]
        if stop.b != 1 {
            let spawn = Operation(.spawn, seat.id, number)
            if try runtime.perform(spawn, on: seat, with: nil, at: site(stop.line)) == 0 {
                throw ProgramError(Failure.startedTwice.message(.add, 0, 0), at: site(stop.line))
            }
        }
        var attributes = ThreadAttributes()
        attributes.takesNoStep = true
        let handle = try runtime.startThread(
            named: thread.name, attributes, at: site(stop.line), body: .plain { try self.runThread(number) })
        if stop.b == 1 { handles.append(handle) } else { runtime.with { $0.seat(handle, on: seat) } }
    }

    // MARK: - Operations

    private func perform(_ announced: Operation, _ stop: Stop, _ watched: inout [Watched]) throws -> Int {
        var operation = announced
        let number = Int(operation.object)
        let object = objects[number]
        operation.object = object.id
        if stop.isTimed { operation.b = runtime.with { Operation.deadline(announced.b, after: $0.hiddenNow) } }
        var mutex: RuntimeObject?
        let site = site(stop.line)
        switch operation.kind {
        case .wait:
            mutex = objects[operation.a]
            operation.a = Int(objects[operation.a].id)
        case .join, .detach: return try performOnThread(operation, object, site)
        case .read, .load, .semaphoreValue:
            if operation.isWatching { return try watch(operation, number, site, &watched) }
        default: break
        }
        return try runtime.perform(operation, on: object, with: mutex, at: site)
    }

    private func performOnThread(_ operation: Operation, _ seat: RuntimeObject, _ site: SourceSite) throws -> Int {
        if operation.object == 0 {
            return try runtime.perform(operation, on: handles[operation.a], with: nil, at: site)
        }
        let isDone = try runtime.perform(operation, on: seat, with: nil, at: site) != 0
        if !isDone { throw ProgramError(Failure.notStarted.message(.add, 0, 0), at: site) }
        return 1
    }

    // MARK: - Await

    /// What an `await` has read.
    struct Watched {
        var number: Int
        /// The value: a word, or for a list a checksum of its values.
        var value: Int
    }

    private func watch(
        _ operation: Operation, _ number: Int, _ site: SourceSite, _ watched: inout [Watched]
    ) throws -> Int {
        if operation.isRenewedLook {
            let earlier = watched
            try runtime.with {
                try $0.waitForChange(of: objects[number], isSpinning: false, at: site) {
                    earlier.contains { self.value(of: $0.number) != $0.value }
                }
            }
        }
        if operation.b != Operation.Watch.further { watched.removeAll(keepingCapacity: true) }
        let result = try runtime.perform(operation, on: objects[number], with: nil, at: site)
        let isList = bytecode.listStart[number] != nil
        watched.append(Watched(number: number, value: isList ? value(of: number) : result))
        return result
    }

    private func word(of number: Int) -> Int { runtime.with { $0.word(of: objects[number]) } }

    private func value(of number: Int) -> Int {
        guard let start = bytecode.listStart[number] else { return word(of: number) }
        let count = min(max(shared[start], 0), Bytecode.listCapacity)
        var sum = count
        for i in 0..<count { sum = (sum ^ shared[start + 1 + i]) &* 0x100_0000_01B3 }
        return sum
    }

    // MARK: - Every state

    /// Checks the invariants, as the machine does. On real threads no thread can read several variables at once while
    /// others run: there they are checked at the end.
    private func observe(_ stop: Stop) throws {
        guard shown != nil else { return }
        var broken: [Broken] = []
        for number in bytecode.claims.indices {
            if let text = failure(of: number, atTheEnd: false) { broken.append((number, text)) }
        }
        try report(broken) { _ in stop.line }
    }

    /// A claim that does not hold, and why.
    private typealias Broken = (number: Int, text: String)

    /// Why the claim does not hold now. Nil: it does, or nothing is known of it yet.
    private func failure(of number: Int, atTheEnd: Bool) -> String? {
        let claim = bytecode.claims[number]
        do {
            let word = { (object: UInt32) in self.word(of: Int(object)) }
            let value =
                atTheEnd
                ? try claim.final(bytecode, interpreter, shared: shared.base, word)
                : try claim.observed(bytecode, interpreter, shared: shared.base, word)
            guard let value else { return nil }
            if atTheEnd { recordState(claim.seenState(value), claim.line) }
            return claim.isBroken(by: value) ? claim.failure : nil
        } catch {
            return claim.failure(because: "\(error)")
        }
    }

    /// Ends the run if claims do not hold. Those that the program itself calls broken come before the others: the last one
    /// ends the run.
    private func report(_ broken: [Broken], line: (CompiledClaim) -> Int) throws {
        if broken.isEmpty { return }
        let isExpected = { (claim: Broken) in self.bytecode.claims[claim.number].isBroken }
        let inOrder = broken.filter(isExpected) + broken.filter { !isExpected($0) }
        let errors = inOrder.map { number, text in
            let claim = bytecode.claims[number]
            recordState(bytecode.brokenStates[number], claim.line)
            return ClaimFailed(text, isBroken: claim.isBroken, at: site(line(claim)))
        }
        for error in errors.dropLast() {
            runtime.with { $0.record(error.event, 0, text: error.description, at: error.site) }
        }
        throw errors.last!
    }

    private func recordState(_ state: String?, _ line: Int) {
        guard let state, runtime.isRecording else { return }
        runtime.with { $0.record(.stateSeen, 0, text: state, at: site(line)) }
    }

    // MARK: - The end

    /// Checks the values at the end, which is not a step.
    private func review() throws {
        var broken: [Broken] = []
        for (number, claim) in bytecode.claims.enumerated() {
            // On real threads no thread has looked at the states in between.
            if case .eventually = claim.kind, shown == nil { continue }
            if let text = failure(of: number, atTheEnd: true) { broken.append((number, text)) }
        }
        try report(broken) { $0.line }
    }
}
