import CCompiled
import Execution
import Machine
import Trace

/// Turns the steps of a compiled program into events, in the program's own words: names of functions and variables, files and lines.
final class ProgramRecord {
    private let journal: Journal
    private let symbols: ProgramSymbols

    /// A step whose value is known when its thread has gone on: what it has written.
    private struct Late {
        var operation: Operation
        let result: StepResult
        let thread: Int
        let pieces: [MemoryPiece]
    }

    private var late: Late?
    private var names: [UInt32: Bool] = [:]
    private let program: UnsafeMutablePointer<compiled_program_t>

    init(_ journal: Journal, _ symbols: ProgramSymbols, _ program: UnsafeMutablePointer<compiled_program_t>) {
        self.journal = journal
        self.symbols = symbols
        self.program = program
    }

    // MARK: - Places and names

    private func site(_ address: UInt64) -> SourceSite {
        // The call comes before the address to which it returns.
        guard let place = symbols.place(address &- 1) else { return .unknown }
        return journal.site(inFileNamed: place.file, line: place.line)
    }

    func name(of thread: Int) -> String { journal.name(of: thread) }

    /// - Parameter isMutexOfWait: whether it is the mutex of the wait that is requested, not its condition.
    func declare(
        _ object: UInt32, _ request: compiled_request_t, _ address: UInt64, isMutexOfWait: Bool = false, by thread: Int
    ) {
        guard names.updateValue(true, forKey: object) == nil else { return }
        let kind = isMutexOfWait ? request.lockKind : request.shownKind
        let name = name(of: request) ?? name(ofMemory: address)
        switch kind {
        case .futex: journal.declareObject(object, kind, name.map { "futex \($0)" }, by: thread)
        // The memory, or the condition, has this name too.
        case .part where !request.isOnCondition || isMutexOfWait:
            journal.declareObject(object, kind, name.map { "lock of \($0)" }, by: thread)
        default: journal.declareObject(object, kind, name, by: thread)
        }
    }

    /// - Parameter address: of the memory, which a lock may be in.
    func declareMemory(_ object: UInt32, _ request: compiled_request_t, _ address: UInt64, by thread: Int) {
        guard names.updateValue(true, forKey: object) == nil else { return }
        let kind: ObjectKind = request.isOnMemory ? request.shownKind : .cell
        journal.declareObject(object, kind, name(of: request) ?? name(ofMemory: address), by: thread)
    }

    /// Of what is not in the program's memory.
    private func name(of request: compiled_request_t) -> String? {
        guard let text = request.text.map({ String(cString: $0) }) else { return nil }
        return text.hasSuffix(" of") ? "\(text) \(name(of: Int(request.line)))" : "\(text) \(request.line)"
    }

    private func name(ofMemory address: UInt64) -> String? {
        if let name = symbols.variable(at: address) { return name }
        var start: UInt64 = 0
        var size: UInt64 = 0
        var site: UInt64 = 0
        guard program.pointee.block(address, &start, &size, &site) != 0 else { return nil }
        let offset = address - start
        let place = symbols.place(site &- 1).map { " from \($0.file.lastComponent):\($0.line)" } ?? ""
        return "block\(place)\(offset == 0 ? "" : "+\(offset)")"
    }

    func declareThread(_ thread: Int, _ request: compiled_request_t, by creator: Int, _ state: MachineState) {
        var attributes = ThreadAttributes()
        attributes.isDetached = request.a != 0
        journal.declareThread(
            thread, symbols.function(at: request.object), attributes, by: creator, at: site(request.site),
            time: state.time)
    }

    // MARK: - Steps

    func announce(_ thread: Int, _ request: compiled_request_t) { journal.announce(thread, site(request.site)) }

    func noteBlocked(_ state: MachineState) { journal.noteBlocked(state) }

    func note(
        _ operation: Operation, _ result: StepResult, of thread: Int, _ request: compiled_request_t,
        _ pieces: UnsafeBufferPointer<MemoryPiece>, _ state: MachineState
    ) {
        if operation.kind == .start { return journal.recordStart(of: thread, time: state.time) }
        if operation.kind == .exit && request.a & 0xFF != 0 {
            noteFailure("exits with code \(request.a & 0xFF)", .threadError, request, of: thread, state)
        }
        guard request.isOnMemory else { return journal.record(operation, result, of: thread, state) }
        // A plain access of a part of an object would look like one of all of it.
        let shown = pieces.filter { !request.isPlain || !$0.isPart }
        if operation.kind == .write || operation.kind == .store {
            late = Late(operation: operation, result: result, thread: thread, pieces: shown)
            return
        }
        for piece in shown { record(operation, result, of: thread, piece, state) }
    }

    private func record(
        _ operation: Operation, _ result: StepResult, of thread: Int, _ piece: MemoryPiece, _ state: MachineState
    ) {
        var (operation, result) = (operation, result)
        let isFirst = piece.object == operation.object
        operation.object = piece.object
        if !isFirst { result.value = state.object(piece.object).value }
        journal.record(operation, result, of: thread, state)
    }

    /// The thread's code has run up to its next operation.
    func noteReturn(of thread: Int, _ state: MachineState) {
        guard var step = late else { return }
        late = nil
        for piece in step.pieces {
            step.operation.object = piece.object
            step.operation.a = Int(program.pointee.peek(piece.address, UInt32(piece.size)))
            journal.record(step.operation, step.result, of: thread, state)
        }
    }

    // MARK: - Ends

    func noteEnd(of thread: Int, _ request: compiled_request_t, _ state: MachineState) {
        journal.record(.threadExit, thread: thread, value: Int(request.a), at: .unknown, time: state.time)
    }

    func noteExit(_ state: MachineState, by thread: Int) {
        for other in 0..<state.threadCount where other != thread && !state.hasEnded(other) {
            journal.record(.threadCutOff, thread: other, at: .unknown, time: state.time)
        }
    }

    func noteFailure(
        _ text: String, _ event: EventKind, _ request: compiled_request_t, of thread: Int, _ state: MachineState
    ) {
        let place =
            request.file.map { journal.site(inFileNamed: String(cString: $0), line: Int(request.line)) }
            ?? site(request.site)
        journal.record(event, thread: thread, text: text, at: place, time: state.time)
    }

    /// A thread uses memory that was freed.
    func noteMemory(_ verb: String, _ request: compiled_request_t, of thread: Int, _ state: MachineState) {
        noteFailure(
            "\(verb) memory that was freed: \(name(ofMemory: request.object) ?? "?")", .threadError, request,
            of: thread, state)
    }

    /// On standard error, where the process that watches this one finds it.
    func noteCrash(_ request: compiled_request_t, of thread: Int) {
        let place = symbols.place(request.site &- 1).map { "\($0.file):\($0.line): " } ?? ""
        let function = symbols.function(at: request.site &- 1).map { " in \($0)" } ?? ""
        StandardErrorLine.write("\(place)Fatal error: signal \(request.a)\(function) of thread '\(name(of: thread))'\n")
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
