import CCompiled
import Execution
import Machine
import Trace

/// Turns the steps of a compiled program into events, in the program's own words: names of functions and variables,
/// files and lines.
final class ProgramRecord {
    let journal: Journal
    private let symbols: ProgramSymbols
    let memory: MemoryNames

    /// A write that was taken as a step. It is recorded late, because the value is in memory only when the thread has
    /// continued.
    private struct Late {
        var operation: Operation
        let result: StepResult
        let thread: Int
        let pieces: [MemoryPiece]
    }

    /// What the record has declared about an object that has an address.
    private struct Declared {
        let kind: ObjectKind
        /// What precedes the name: see `ObjectKind.prefix`.
        let prefix: String
        /// The thread that used it first.
        let maker: Int
        /// The names, without the prefix, of the variables that have been at the object's place on a stack.
        var names: [String]
    }

    /// The objects that are pointers.
    private var pointers: [UInt32: MemoryNames.Pointer] = [:]
    /// The values of pointers for which the trace has been told what they point to.
    private var targets: Set<Int> = []
    /// The maximum number of such values. Others are shown as addresses.
    private static let mostTargets = 1 << 14
    /// Programs have no memory at smaller addresses than this.
    private static let mostOfNumber: UInt = 1 << 16

    private var late: Late?
    private var declared: [UInt32: Declared] = [:]
    private(set) var seen = SeenValues()
    /// By thread: the innermost call of its last request.
    private var callers: [Int: ProgramStacks.Call] = [:]
    let program: UnsafeMutablePointer<compiled_program_t>
    let stacks: ProgramStacks

    init(_ journal: Journal, _ symbols: ProgramSymbols, _ program: UnsafeMutablePointer<compiled_program_t>) {
        self.journal = journal
        self.symbols = symbols
        self.program = program
        stacks = ProgramStacks(program, symbols)
        memory = MemoryNames(program, symbols, stacks) { journal.name(of: $0) }
        journal.onValue = { [unowned self] in noteTarget(of: $0, $1) }
    }

    /// Says to what a pointer points that has this value.
    private func noteTarget(of object: UInt32, _ value: Int) {
        if value != 0, let pointer = pointers[object] { noteTarget(value, pointer) }
    }

    private func noteTarget(_ value: Int, _ pointer: MemoryNames.Pointer) {
        guard targets.count < Self.mostTargets, targets.insert(value).inserted,
            let name = memory.target(of: UInt64(bitPattern: Int64(value)), pointer)
        else { return }
        journal.declareTarget(value, name)
    }

    /// Called at the beginning of an execution.
    func begin() {
        stacks.begin()
        seen = SeenValues()
    }

    // MARK: - Places and names

    /// The source place of the thread's request.
    private func site(_ request: compiled_request_t, of thread: Int) -> SourceSite {
        let calls = stacks.calls(of: thread)
        callers[thread] = calls.first
        if let file = request.file {
            return journal.site(inFileNamed: String(cString: file), line: Int(request.line), calls: calls)
        }
        if let place = calls.first { return journal.site(inFileNamed: place.file, line: place.line, calls: calls) }
        guard let place = stacks.place(of: request.site) else { return .unknown }
        return journal.site(inFileNamed: place.file, line: place.line)
    }

    /// Called when a thread has allocated or freed a block of the heap.
    func noteBlock(_ request: compiled_request_t, of thread: Int) {
        memory.noteReturn()
        stacks.noteBlock(request, of: thread)
    }

    func name(of thread: Int) -> String { journal.name(of: thread) }

    /// Declares an object to the journal when an execution first uses it.
    ///
    /// - Parameter isMutexOfWait: whether the object is the mutex of the requested wait, not its condition.
    func declare(
        _ object: UInt32, _ request: compiled_request_t, _ address: UInt64, isMutexOfWait: Bool = false, by thread: Int
    ) {
        let kind = isMutexOfWait ? request.lockKind : request.shownKind
        let isLock = !request.isOnCondition || isMutexOfWait
        memory.noteReturn()
        declare(object, kind, prefix: kind.prefix(isLock: isLock), by: thread) {
            name(of: request) ?? name(ofLock: request, by: thread) ?? memory.name(of: address, by: thread)
        }
    }

    /// Declares an object of the machine that represents bytes of memory, when an execution first uses it.
    ///
    /// - Parameter address: the address of the memory. A lock may be in it.
    func declareMemory(_ object: UInt32, _ request: compiled_request_t, _ address: UInt64, by thread: Int) {
        // A lock has the plain name, so its memory has a prefix.
        let (kind, prefix) = request.isOnMemory ? (request.shownKind, "") : (ObjectKind.cell, "memory of ")
        declare(object, kind, prefix: prefix, by: thread) {
            name(of: request) ?? memory.name(of: address, by: thread)
        }
    }

    /// The name of the variable that is the object now. Nil: it is not known.
    func variableName(of object: UInt32) -> String? { declared[object]?.names.last }

    private func declare(
        _ object: UInt32, _ kind: ObjectKind, prefix: String, by thread: Int, _ name: () -> MemoryNames.Name?
    ) {
        if declared[object] != nil { return }
        let name = name()
        if kind == .cell || kind == .atomic { pointers[object] = name?.pointer }
        declared[object] = Declared(kind: kind, prefix: prefix, maker: thread, names: name.map { [$0.text] } ?? [])
        journal.declareObject(object, shown(kind, object), name.map { prefix + $0.text }, by: thread)
    }

    /// The kind under which the trace shows an object of this kind.
    private func shown(_ kind: ObjectKind, _ object: UInt32) -> ObjectKind {
        if pointers[object] == nil { return kind }
        return kind == .atomic ? .pointerAtomic : .pointerCell
    }

    /// Renames an object if another variable has taken its place on a stack. Then it is called `b (earlier a)`.
    private func rename(_ object: UInt32, _ request: compiled_request_t, _ address: UInt64) {
        guard request.text == nil, request.awaitedLock == nil, var known = declared[object],
            let present = memory.present(onStack: address), !known.names.contains(present.text)
        else { return }
        let name = present.text
        // If one of the variables is no pointer, all values are shown as numbers.
        if present.pointer == nil { pointers[object] = nil }
        let earlier = known.names.last.map { " (earlier \($0))" } ?? ""
        known.names.append(name)
        declared[object] = known
        journal.declareObject(object, shown(known.kind, object), known.prefix + name + earlier, by: known.maker)
    }

    /// The name of an object that is not in the program's memory, made of the request's `text` and number: `closes of
    /// descriptor 3`, `end of worker`, `state of rand()`. Nil: the object is in memory.
    func name(of request: compiled_request_t) -> MemoryNames.Name? {
        guard let text = request.text.map({ String(cString: $0) }) else { return nil }
        if text.hasSuffix("()") { return .init(text: text) }
        return .init(
            text: text.hasSuffix(" of") ? "\(text) \(name(of: Int(request.line)))" : "\(text) \(request.line)")
    }

    /// The name of an object at which threads wait for the release of a lock. Nil: the object is another one.
    private func name(ofLock request: compiled_request_t, by thread: Int) -> MemoryNames.Name? {
        guard let lock = request.awaitedLock else { return nil }
        return memory.name(of: lock, by: thread).map { .init(text: "release of \($0.text)") }
    }

    func declareThread(_ thread: Int, _ request: compiled_request_t, by creator: Int, _ state: MachineState) {
        var attributes = ThreadAttributes()
        attributes.isDetached = request.a != 0
        journal.declareThread(
            thread, ThreadFunction(program, symbols).name(request), attributes, by: creator,
            at: site(request, of: creator),
            time: state.time)
    }

    // MARK: - Steps

    /// Called when a thread has made a request for a step.
    func announce(_ thread: Int, _ request: compiled_request_t) { journal.announce(thread, site(request, of: thread)) }

    func noteBlocked(_ state: MachineState) { journal.noteBlocked(state) }

    /// Records a step that was taken. A write is recorded by `noteReturn`.
    func note(
        _ operation: Operation, _ result: StepResult, of thread: Int, _ request: compiled_request_t,
        _ pieces: UnsafeBufferPointer<MemoryPiece>, _ state: MachineState
    ) {
        if operation.kind == .start { return journal.recordStart(of: thread, time: state.time) }
        // The parent of a process sees only the lowest eight bits of the exit code.
        if operation.kind == .exit && request.a & 0xFF != 0 {
            noteFailure("exits with code \(request.a & 0xFF)", .threadFault, request, of: thread, state)
        }
        guard request.isOnMemory else {
            // 0: the step is on no object, or on one that has no address.
            if operation.object != 0 && request.object != 0 { rename(operation.object, request, request.object) }
            if result.act == .beginWait { noteBarrier(request, operation.object, of: thread, state) }
            return journal.record(operation, result, of: thread, state)
        }
        for piece in pieces { rename(piece.object, request, piece.address) }
        // In a trace, a plain access to a part of an object would look like an access to all of it.
        let shown = pieces.filter { !request.isPlain || !$0.isPart }
        if request.endsMemory { return noteRelease(request, of: thread, shown, state) }
        if operation.kind == .write || operation.kind == .store {
            late = Late(operation: operation, result: result, thread: thread, pieces: shown)
            return
        }
        for piece in shown { record(operation, result, of: thread, piece, state) }
    }

    /// If the thread begins to wait at a barrier, records for how many threads that waits.
    private func noteBarrier(_ request: compiled_request_t, _ object: UInt32, of thread: Int, _ state: MachineState) {
        guard request.kind == compiled_wait, request.a > 0 else { return }
        journal.record(
            .objectWait, thread: thread, object: object, text: BarrierNeed(parties: Int(request.a)).text,
            at: site(request, of: thread), time: state.time)
    }

    /// Records the step on one of the objects that it accesses.
    private func record(
        _ operation: Operation, _ result: StepResult, of thread: Int, _ piece: MemoryPiece, _ state: MachineState
    ) {
        var (operation, result) = (operation, result)
        let isFirst = piece.object == operation.object
        operation.object = piece.object
        if !isFirst { result.value = state.object(piece.object).value }
        journal.record(operation, result, of: thread, state)
        let isLook = operation.kind == .read || operation.kind == .load
        seen.note(
            state.object(piece.object).value, of: piece, isRead: isLook, by: thread, at: callers[thread])
    }

    /// Records that the thread frees or unmaps the memory: for other threads, that is like a write. The objects in it
    /// are one row, because the program frees the memory as a whole.
    private func noteRelease(
        _ request: compiled_request_t, of thread: Int, _ pieces: [MemoryPiece], _ state: MachineState
    ) {
        let place = site(request, of: thread)
        let name =
            request.detail == compiled_unmaps.rawValue ? "mapped memory" : memory.block(request.object).map(memory.name)
        for (number, piece) in pieces.enumerated() {
            journal.record(
                number == 0 ? .cellFree : .cellFreeRest, thread: thread, object: piece.object,
                text: name ?? "memory", at: place, time: state.time)
        }
    }

    /// Called when the thread has run up to its next request. Records its last step if that was a write, whose value is
    /// now in memory.
    func noteReturn(of thread: Int, _ state: MachineState) {
        memory.noteReturn()
        guard var step = late else { return }
        late = nil
        for piece in step.pieces {
            step.operation.object = piece.object
            step.operation.a = Int(program.pointee.peek(piece.address, UInt32(piece.size)))
            journal.record(step.operation, step.result, of: thread, state)
            seen.note(step.operation.a, of: piece, isRead: false, by: thread, at: callers[thread])
        }
    }

    // MARK: - Ends

    func noteEnd(of thread: Int, _ request: compiled_request_t, _ state: MachineState) {
        // Small numbers are results that were converted to pointers.
        if Int(request.a).magnitude > Self.mostOfNumber { noteTarget(Int(request.a), .init(type: nil)) }
        journal.record(.threadExit, thread: thread, value: Int(request.a), at: .unknown, time: state.time)
    }

    /// Records which threads the exit of the process cuts off.
    func noteExit(_ state: MachineState, by thread: Int) {
        for other in 0..<state.threadCount where other != thread && !state.hasEnded(other) {
            journal.record(.threadCutOff, thread: other, at: .unknown, time: state.time)
        }
    }

    func noteFailure(
        _ text: String, _ event: EventKind, _ request: compiled_request_t, of thread: Int, _ state: MachineState
    ) {
        journal.record(event, thread: thread, text: text, at: site(request, of: thread), time: state.time)
    }

    /// Records that a thread does what threadlab does not support, or exceeds a limit of it.
    func noteLimit(_ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        let text = request.text.map { String(cString: $0) } ?? ""
        let isNamed = text.contains("threadlab")
        noteFailure(text + (isNamed ? "" : ": a limit of threadlab"), .threadFault, request, of: thread, state)
    }

    /// Records that a thread frees an address at which no block begins.
    func noteInvalidFree(_ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        journal.record(
            .misuse, thread: thread, value: Int(MisuseKind.invalidFree.rawValue), at: site(request, of: thread),
            time: state.time)
    }

    /// Records that a thread uses a lock, condition, semaphore or barrier that was destroyed or never initialized.
    func noteUnmade(_ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        let name = memory.name(of: request.object, by: thread)?.text ?? "?"
        noteFailure("uses \(name), which was destroyed or never initialized", .threadFault, request, of: thread, state)
    }

    /// Records a crash. Also writes the message to standard error, where users look for it.
    func noteCrash(_ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        let calls = stacks.calls(of: thread)
        let call = calls.first ?? stacks.place(of: request.site)
        let function = call.map { " in \($0.function)" } ?? ""
        var message = "Fatal error: signal \(request.a)\(function) of thread '\(name(of: thread))'"
        if let reason = CrashReason(request) {
            let pointer = reason.address.flatMap { seen.pointer(to: $0, by: thread, in: calls) { pointers[$0] != nil } }
            journal.record(
                .crashReason, thread: thread, object: pointer?.object ?? 0, text: reason.text,
                at: site(request, of: thread), time: state.time)
            message += ": it \(reason.text)"
        }
        noteFailure(message, .runMessage, request, of: thread, state)
        StandardErrorLine.write("\(call.map { "\($0.file):\($0.line): " } ?? "")\(message)".printable + "\n")
    }

    func noteEnd(_ driver: Driver) {
        switch driver.verdict {
        case .stepLimit:
            journal.record(
                .runStepLimit, thread: driver.current, value: driver.rules.maximumSteps, at: .unknown,
                time: driver.state.time)
        case .completed, .leak:
            journal.record(.runComplete, thread: 0, at: .unknown, time: driver.state.time)
        default: break
        }
    }

    func recordNextSteps(_ state: MachineState) { journal.recordNextSteps(state) }
}

extension ObjectKind {
    /// What precedes the name of the memory that the object is in.
    ///
    /// - Parameter isLock: whether it is a lock, not a condition.
    fileprivate func prefix(isLock: Bool) -> String {
        switch self {
        case .futex: "futex "
        // A condition has the plain name of its memory, so a lock there has a prefix.
        case .part: isLock ? "lock of " : ""
        case .mutex, .errorCheckingMutex, .recursiveMutex, .inheritingMutex, .ceilingMutex, .condition, .semaphore,
            .readWriteLock, .atomic, .cell, .booleanAtomic, .booleanCell, .pointerAtomic, .pointerCell, .slot, .file,
            .conditionLock, .spinLock,
            .distributedLock, .queue, .workQueue, .operation, .runLoop, .inputSource, .timer, .observer, .port, .meter,
            .managedObject, .signal, .custom, .list:
            ""
        }
    }
}
