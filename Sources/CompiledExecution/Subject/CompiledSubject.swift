import CCompiled
import Execution
import Machine
import Trace

/// The compiled program in this process, as a subject: it executes the program under choosers.
///
/// Between two steps, the program's own machine code runs on a fiber, up to its thread's next request. A request for a
/// step is announced to the driver's machine, as an operation, and the driver chooses the thread that takes its step
/// next.
package final class CompiledSubject: Subject {
    let program: UnsafeMutablePointer<compiled_program_t>
    package let driver: Driver
    let state: MachineState
    let objects: ProgramObjects
    private let memory: ProgramMemory
    private let record: ProgramRecord?
    private let learns: Bool
    private let spins: SpinWatches
    private let weakOrders: WeakOrders
    /// The symbols, for an unrecorded search of a program that is known to change its process in a lasting way. They
    /// are read before any execution, because later its files might not be readable. Nil: they are read when needed.
    private let symbols: ProgramSymbols?

    /// The last request of each thread.
    private let requests = OwnedBuffer<compiled_request_t>(
        repeating: compiled_request_t(), count: MachineState.maximumThreads)
    /// The code at which the execution failed, or that allocated the memory that it lost. 0: neither.
    @exclusivity(unchecked) private var failureSite: UInt64 = 0
    @exclusivity(unchecked) private var hasEnded = false

    /// - Parameters:
    ///   - record: receives the events, in the program's words. Nil: nothing is recorded.
    ///   - learns: whether executions only find out which memory accesses are steps.
    init(
        _ program: UnsafeMutablePointer<compiled_program_t>, _ rules: Rules, log: ChoiceMemory?,
        record: ProgramRecord? = nil, learns: Bool = false
    ) {
        self.program = program
        self.record = record
        self.learns = learns
        driver = Driver(rules: rules, log: log, showsClock: true)
        state = driver.state
        objects = ProgramObjects(driver.state)
        memory = ProgramMemory(program, objects, isRecorded: record != nil)
        spins = SpinWatches(program)
        weakOrders = WeakOrders(program)
        // `lasting` is the name of a function with a lasting effect that an execution has called.
        let changesProcess = !learns && record == nil && program.pointee.firsts?.pointee.lasting.0 ?? 0 != 0
        symbols = changesProcess ? ProgramSymbols(ProgramFile.all(of: program)) : nil
        symbols?.prepare()
        driver.state.use(memory.pieces)
    }

    package var observers: [any Observer] {
        get { driver.observers }
        set { driver.observers = newValue }
    }

    package var schedule: Schedule { driver.schedule }
    package var stepCount: Int { driver.stepCount }
    package var machine: MachineState { state }

    /// A number that distinguishes the places where executions with one verdict ended: the code that failed, or that
    /// allocated lost memory; or a hash of the places of the threads that cannot continue. 0: the verdict has no place.
    package var place: Int {
        if failureSite != 0 { return Int(truncatingIfNeeded: relative(failureSite)) }
        if let verdict, verdict == .completed || verdict == .leak || verdict.isCycle { return 0 }
        var hash = StateHash()
        for thread in driver.stuckThreads {
            hash.addInAnyOrder(Int(truncatingIfNeeded: relative(requests[Int(thread)].site)))
        }
        return Int(truncatingIfNeeded: hash.value)
    }

    /// The place of the code, which is the same in every process.
    private func relative(_ site: UInt64) -> UInt64 {
        let place = compiled_place(program, site)
        return place == .max ? site &- program.pointee.files.0.start : place
    }

    private var verdict: Verdict? { driver.verdict }

    package func codeAddress(of thread: Int) -> UInt64 { requests[thread].site }
    package func line(ofCode address: UInt64) -> String? {
        (symbols ?? ProgramSymbols(ProgramFile.all(of: program))).line(ofCall: address)
    }

    package var lastingChange: String? {
        guard let firsts = program.pointee.firsts, let name = String(firstBytes: firsts.pointee.lasting) else {
            return nil
        }
        let place = line(ofCode: firsts.pointee.lasting_site).map { " at \($0)" } ?? ""
        return
            "The program calls '\(name)'\(place), whose effect outlasts an execution: what comes later may behave differently"
    }

    // MARK: - One execution

    package func execute(_ chooser: any Chooser) -> Verdict {
        driver.begin()
        objects.begin()
        failureSite = 0
        program.pointee.has_calls = record == nil ? 0 : 1
        program.pointee.has_free_time = driver.rules.timeouts == .any ? 1 : 0
        program.pointee.begin(learns ? 1 : 0)
        record?.begin()
        driver.begin(chooser)
        guard state.addThread(status: .running) != nil else { preconditionFailure("the first thread of an execution") }
        proceed(0, 0)  // The main thread. It has no request yet, so the result means nothing.
        while verdict == nil {
            if state.hasWatches {
                lookAtSpins()
                if verdict != nil { break }
            }
            record?.noteBlocked(state)
            guard let thread = driver.next(chooser) else { break }
            take(thread, chooser)
        }
        record?.noteEnd(driver)
        driver.announceEnd(to: chooser)
        program.pointee.end()
        driver.leave()
        return verdict!
    }

    /// Lets the driver take the thread's step, and then lets the thread run.
    @inline(always) private func take(_ thread: Int, _ chooser: any Chooser) {
        let request = requests.base + thread
        // Code that takes no steps may have changed the memory since the machine got its value.
        let compares =
            request.pointee.kind == compiled_compare_exchange || request.pointee.kind == compiled_weak_compare_exchange
        if compares || record != nil && request.pointee.isOnMemory {
            memory.refresh(thread, state)
        }
        guard let result = driver.take(thread, chooser) else { return }
        let operation = state.operation(of: thread)
        if let record { record.note(operation, result, of: thread, request.pointee, memory.pieces[thread], state) }
        switch result.status {
        case .blocked: return
        case .misuse:
            failureSite = request.pointee.site
            driver.finish(.misuse)
        // A signal answers 0 if it found no waiter, otherwise 1.
        case .done where operation.kind == .signal: complete(thread, .signal, result.act == .signalNone ? 0 : 1)
        case .done where request.pointee.kind == compiled_weak_compare_exchange:
            complete(thread, operation.kind, result.act == .failSpuriously ? 1 : 0)
        case .done: complete(thread, operation.kind, result.value)
        }
    }

    /// Called when the thread has taken its step: lets it run up to its next request.
    @inline(always) private func complete(_ thread: Int, _ kind: Operation.Kind, _ value: Int) {
        if kind == .spawn { return proceed(thread, addThread(by: thread)) }
        if kind == .exit { return exit(thread) }
        proceed(thread, value)
    }

    /// Adds the thread that the step creates.
    ///
    /// - Returns: the new thread's number, or −1 if there cannot be more.
    private func addThread(by creator: Int) -> Int {
        guard state.threadCount < Int(program.pointee.most_threads), let thread = state.addThread() else { return -1 }
        let request = requests[creator]
        if request.a != 0 { state.setDetached(thread) }
        record?.declareThread(thread, request, by: creator, state)
        return thread
    }

    /// Ends the execution, because the process exits.
    private func exit(_ thread: Int) {
        let request = requests[thread]
        // The parent of a process sees only the lowest eight bits of its exit code. Lost memory is recorded first,
        // because cutting off the other threads is the last thing that is recorded about them.
        let verdict = request.a & 0xFF == 0 ? completion() : .error
        record?.noteExit(state, by: thread)
        if verdict == .error { failureSite = request.site }
        driver.finish(verdict)
    }

    /// The verdict on an execution in which nothing failed: a leak if memory is lost.
    private func completion() -> Verdict {
        guard let site = record.map({ $0.noteLost(state) }) ?? LostMemory.site(program) else {
            return driver.completion
        }
        failureSite = site
        return .leak
    }

    /// Lets the thread run up to its next request, and announces that to the machine.
    ///
    /// - Parameter value: the result of its last request.
    @inline(always) private func proceed(_ thread: Int, _ value: Int) {
        program.pointee.now = Int64(state.time)
        var answer = program.pointee.resume(UInt32(thread), Int64(value))!
        // The thread has now written what it announced, so the machine gets the new values. What a compare-exchange
        // finds is read later, in `take`.
        let before = state.operation(of: thread).kind
        if before.isAccess && !before.isLook { memory.refresh(thread, state) }
        while answer.pointee.isNoStep {
            if answer.pointee.kind == compiled_forget { renew(answer, by: thread) }
            record?.noteBlock(answer.pointee, of: thread)
            answer = program.pointee.resume(UInt32(thread), 0)!
        }
        record?.noteReturn(of: thread, state)
        (requests.base + thread).pointee = answer.pointee
        memory.pieces.removeAll(of: thread)
        guard let step = answer.pointee.step else { return conclude(thread) }
        if answer.pointee.size != 0 { addPieces(answer, to: thread) }
        record?.announce(thread, answer.pointee)
        if answer.pointee.hasWeakerOrder && !learns { weakOrders.note(answer.pointee, of: thread) }
        state.announce(thread, operation(step, answer, by: thread))
        // Whether a loop can be watched is learned, too.
        if learns && SpinWatches.isWaiting(thread, state) { tryRounds(of: thread) }
    }

    /// If no thread can step, those that wait in polling loops would be reported to spin forever. Before that, each
    /// tries to leave its loop.
    private func lookAtSpins() {
        spins.lookForMissedWrites(state)
        let threads = 0..<state.threadCount
        guard !threads.contains(where: state.isEnabled) else { return }
        for thread in threads where verdict == nil && SpinWatches.isWaiting(thread, state) { tryRounds(of: thread) }
    }

    /// Lets a thread that waits before a round of its polling loop run some rounds, to see whether they are alike.
    private func tryRounds(of thread: Int) {
        if spins.areAlike(thread, SpinWatches.enoughRounds) { return }
        // The rounds differ although no step has changed what the thread watches. So later executions (while steps are
        // learned), or later searches, must not let threads wait before a round.
        program.pointee.stop_watching()
        driver.finish(.stopped)
    }

    /// Forgets the object at the address, where the program has made a new one. The new object is made at once if there
    /// are other threads, which may be about to use it.
    private func renew(_ request: UnsafeMutablePointer<compiled_request_t>, by thread: Int) {
        objects.forget(request.pointee.object)
        if request.pointee.b != 0 { _ = object(request, by: thread) }
    }

    /// The machine's operation for a request.
    @inline(always)
    private func operation(
        _ step: RequestTable.Step, _ request: UnsafeMutablePointer<compiled_request_t>, by thread: Int
    ) -> Operation {
        let kind = step.operation
        switch step.subject {
        case .plain, .atomic: return access(kind, request, by: thread)
        case .any: return Operation(kind, object(request, by: thread))
        case .mutex:
            return Operation(
                kind, lock(request.pointee.object, request, by: thread), Int(request.pointee.a),
                request.pointee.deadline)
        case .waiting:
            let mutex = lock(request.pointee.mutex, request, by: thread)
            return Operation(
                kind, number(in: .condition, .condition, request, by: thread), Int(mutex), request.pointee.deadline)
        case .condition: return Operation(kind, number(in: .condition, .condition, request, by: thread))
        case .semaphore:
            return Operation(
                kind, number(in: .lock, .semaphore, request, by: thread, value: Int(request.pointee.detail)), 0,
                request.pointee.deadline)
        case .sharedLock:
            return Operation(
                kind, number(in: .lock, request.pointee.sharedLockKind, request, by: thread), 0,
                request.pointee.deadline)
        case .fence: return Operation(kind, orders: request.pointee.orders)
        case .number: return Operation(kind, 0, Int(request.pointee.a), request.pointee.deadline)
        case .nothing: return Operation(kind)
        }
    }

    /// Adds the bytes that the thread's next step accesses.
    @inline(always)
    private func addPieces(_ request: UnsafeMutablePointer<compiled_request_t>, to thread: Int) {
        memory.add(request.pointee.object & ~compiled_request_t.beside, size: request.pointee.size, to: thread) {
            object, address in
            record?.declareMemory(object, request.pointee, address, by: thread)
        }
    }

    /// The operation for an access to memory, whose pieces have been added.
    private func access(
        _ kind: Operation.Kind, _ request: UnsafeMutablePointer<compiled_request_t>, by thread: Int
    ) -> Operation {
        let pieces = memory.pieces[thread]
        let object = pieces[0].object
        let (a, orders) = (Int(request.pointee.a), LibraryLocks.orders(of: request, program))
        if request.pointee.watch > UInt8(compiled_in_round.rawValue) {
            return Operation(kind, object, 0, spins.watch(request.pointee.watch, pieces, by: thread), orders: orders)
        }
        if request.pointee.isPlain { return Operation(kind, object, a) }
        // The machine can compare only the value of one whole object. Any other compare-exchange is treated as an
        // exchange, which orders at least as much.
        let compares = kind.isCompareExchange
        let isInParts = pieces[0].isPart || pieces[pieces.count - 1].isPart || compares && pieces.count > 1
        if isInParts && !learns { program.pointee.notes[Int(compiled_atomic_in_parts.rawValue)] = 1 }
        guard compares else { return Operation(kind, object, a, orders: orders) }
        return isInParts
            ? Operation(.exchange, object, Int(request.pointee.b), orders: orders)
            : Operation(kind, object, a, Int(request.pointee.b), orders: orders)
    }

    /// The number of the mutex at the address.
    private func lock(
        _ address: UInt64, _ request: UnsafeMutablePointer<compiled_request_t>, by thread: Int
    ) -> UInt32 {
        objects.number(address, .lock, request.pointee.mutexKind) {
            record?.declare($0, request.pointee, address, isMutexOfWait: address == request.pointee.mutex, by: thread)
        }
    }

    /// The number of the condition, semaphore or read-write lock of the request.
    private func number(
        in part: ProgramObjects.Part, _ kind: ObjectState.Kind, _ request: UnsafeMutablePointer<compiled_request_t>,
        by thread: Int, value: Int = 0
    ) -> UInt32 {
        objects.number(
            request.pointee.object, part, kind, value: { value },
            onNew: { record?.declare($0, request.pointee, request.pointee.object, by: thread) })
    }

    /// The object of a request that destroys or makes one.
    private func object(_ request: UnsafeMutablePointer<compiled_request_t>, by thread: Int) -> UInt32 {
        switch request.pointee.detail {
        case compiled_of_condition.rawValue: number(in: .condition, .condition, request, by: thread)
        case compiled_of_semaphore.rawValue:
            number(in: .lock, .semaphore, request, by: thread, value: Int(request.pointee.a))
        case compiled_of_shared_lock.rawValue, compiled_of_writers_lock.rawValue:
            number(in: .lock, request.pointee.sharedLockKind, request, by: thread)
        default: lock(request.pointee.object, request, by: thread)
        }
    }

    /// Handles a request that ends the thread or the execution.
    @inline(never) private func conclude(_ thread: Int) {
        let request = requests[thread]
        switch request.kind {
        case compiled_ended:
            record?.noteEnd(of: thread, request, state)
            state.end(thread, result: Int(request.a))
            let haveAllEnded = (0..<state.threadCount).allSatisfy { state.hasEnded($0) }
            if haveAllEnded { driver.finish(completion()) }
            return
        case compiled_crash:
            record?.noteCrash(request, of: thread, state)
            program.pointee.die(Int32(truncatingIfNeeded: request.a))  // Does not return.
        case compiled_assertion:
            record?.noteAssertion(request, of: thread, state)
            driver.finish(.assertion)
        case compiled_use_after_free:
            record?.noteMemory("uses", request, of: thread, state)
            driver.finish(.error)
        case compiled_use_unmade:
            record?.noteUnmade(request, of: thread, state)
            driver.finish(.error)
        case compiled_double_free:
            record?.noteMemory("frees again", request, of: thread, state)
            driver.finish(.error)
        case compiled_invalid_free:
            record?.noteInvalidFree(request, of: thread, state)
            driver.finish(.misuse)
        case compiled_failure:
            record?.noteFailure(
                request.text.map { String(cString: $0) } ?? "", .threadFault, request, of: thread, state)
            driver.finish(.error)
        case compiled_unsupported:
            record?.noteLimit(request, of: thread, state)
            driver.finish(.error)
        // In Swift, a C enumeration can have other values.
        default: request.unknown()
        }
        failureSite = request.site
    }
}
