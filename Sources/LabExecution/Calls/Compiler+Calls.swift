import LabProgram
import LabSyntax
import Machine
import Text
import Trace

/// Compiles calls of specified functions so that they are recorded (`CallLogs`), if a claim is about them. Only calls
/// that a thread's own body makes are recorded, not those that functions make.
extension Compiler {
    /// Adds the logs, with their atomics after all other objects, and their words after those of lists and built
    /// objects.
    mutating func layOutCallLogs() {
        let isClaimed = program.presentClaims.contains { if case .linearizable = $0.kind { true } else { false } }
        guard isClaimed, let specification = program.specification else { return }
        var logs = CallLogs()
        logs.parameters = program.functions.indices.map {
            specification.threads[$0] == nil ? nil : program.functions[$0].parameters.count
        }
        for (number, thread) in program.threads.enumerated() {
            let elements = thread.body.block.calls(logs) ? configuration.threadCounts[number] : 0
            firstLog.append(elements > 0 ? logs.logs.count : nil)
            if elements > 0 { logs.threads.insert(number) }
            for element in 0..<elements {
                add(firstThread[number] + element, thread.site.line, to: &logs)
            }
        }
        let mainCalls = program.finally?.block.calls(logs) ?? false
        firstLog.append(mainCalls ? logs.logs.count : nil)
        if mainCalls { add(threads.count, 1, to: &logs) }
        callLogs = logs
    }

    /// Adds the log of a thread and its atomic.
    private mutating func add(_ thread: Int, _ line: Int, to logs: inout CallLogs) {
        let name = thread < threads.count ? threads[thread].name : "main"
        objects.append(
            CompiledObject(kind: .atomic, shown: .part, name: "\(name.possessive) finished calls", value: 0, line: line)
        )
        logs.logs.append(CallLogs.Log(thread: thread, name: name, start: sharedWords.count, object: objects.count))
        sharedWords += [Int](repeating: 0, count: CallLogs.stride)
    }

    /// The logs of the elements of the thread whose body is being compiled. Nil: the thread has none.
    private var ownLogs: Range<Int>? {
        // The main thread's body comes after the functions and before the other threads.
        let body = bodies.count - program.functions.count
        let thread = body == 0 ? program.threads.count : body - 1
        guard !isFunction, firstLog.indices.contains(thread), let first = firstLog[thread] else { return nil }
        return first..<first + (body == 0 ? 1 : configuration.threadCounts[thread])
    }

    /// Compiles a call whose arguments are on the stack. If it is recorded, the thread first writes the arguments to
    /// its log, and how many calls of each other thread have returned; after the call it writes the answer.
    mutating func callRecorded(_ function: Int) {
        guard let logs = callLogs, let parameters = logs.parameters[function], let own = ownLogs else {
            return call(function)
        }
        let slot = slots - callSlots
        let log = logs.logs[own.lowerBound].start
        let called = program.functions[function]
        for argument in (0..<parameters).reversed() { drop(into: slot + argument) }
        remark(called, slot, result: nil)
        push(function)
        record(in: log)
        for argument in 0..<parameters {
            get(slot + argument)
            record(in: log)
        }
        for other in logs.logs.indices { recordReturns(of: logs.logs[other], number: other, own: own, log) }
        for argument in 0..<parameters { get(slot + argument) }
        call(function)
        if let result = called.result {
            drop(into: slot + parameters)
            get(slot + parameters)
            record(in: log)
            remark(called, slot, result: result)
            countReturn(logs, own)
            get(slot + parameters)
        } else {
            push(0)
            record(in: log)
            remark(called, slot, result: nil, returns: true)
            countReturn(logs, own)
        }
    }

    /// Writes a note that the thread makes the call, or that the call has returned.
    ///
    /// - Parameter slot: the slot of the first argument. The result is behind the arguments.
    private mutating func remark(
        _ function: Program.Function, _ slot: Int, result: ValueType?, returns: Bool = false
    ) {
        var parts: [CompiledText.Part] = [.words("\(function.name)(")]
        for (number, parameter) in function.parameters.enumerated() {
            if number > 0 { parts.append(.words(", ")) }
            parts.append(.value(parameter.type))
            get(slot + number)
        }
        parts.append(.words(")"))
        if let result {
            parts += [.words(" → "), .value(result)]
            get(slot + function.parameters.count)
        }
        if returns { parts.append(.words(" returns")) }
        texts.append(CompiledText(parts: parts))
        let values = function.parameters.count + (result == nil ? 0 : 1)
        emit(.note, texts.count - 1, values)
        depth -= values
    }

    /// Pops a value into the slot.
    private mutating func drop(into slot: Int) {
        emit(.set, slot)
        depth -= 1
    }

    private mutating func get(_ slot: Int) {
        emit(.get, slot)
        pushed()
    }

    /// Pops a value into the log.
    private mutating func record(in log: Int) {
        emit(.record, log)
        depth -= 1
    }

    /// Records how many calls of another thread have returned, with a load of its atomic. For the thread itself it
    /// records 0.
    ///
    /// - Parameters:
    ///   - number: the number of the other thread's log.
    ///   - own: the logs of the array of threads whose body this is. Which of them is the thread's own is known only in
    ///     the run.
    private mutating func recordReturns(of other: CallLogs.Log, number: Int, own: Range<Int>, _ log: Int) {
        let load = OperationForm(kind: .load, hasResult: true, orders: Operation.Orders(callOrder(.acquire)))
        guard own.contains(number) else {
            operate(load, on: other.object)
            return record(in: log)
        }
        if own.count == 1 {
            push(0)
            return record(in: log)
        }
        emit(.index)
        pushed()
        push(number - own.lowerBound)
        let isOther = emit(.jumpUnlessEqual)
        depth -= 2
        push(0)
        let end = emit(.jump)
        land(isOther)
        depth -= 1
        operate(load, on: other.object)
        land(end)
        record(in: log)
    }

    /// The last step of a call: adds one to the number of calls that have returned.
    private mutating func countReturn(_ logs: CallLogs, _ own: Range<Int>) {
        let first = logs.logs[own.lowerBound].object
        let elements = own.count == 1 ? ObjectRange.none : ObjectRange(from: first, count: own.count)
        if own.count > 1 {
            emit(.index)
            pushed()
            emit(.element, first, own.count)
        }
        push(1)
        operate(
            OperationForm(
                kind: .add, arguments: .value, elements: elements, orders: Operation.Orders(callOrder(.release))),
            on: own.count == 1 ? first : 0)
        depth -= own.count == 1 ? 1 : 2
    }

    /// Under sc, the accesses that observe the real-time order must not order memory, which would hide data races.
    /// Under a weaker model, calls are ordered only as far as their memory is.
    private func callOrder(_ order: MemoryOrder) -> MemoryOrder { program.model == .sc ? .relaxed : order }
}

extension Program.Block {
    /// Whether it calls a function whose calls are recorded.
    fileprivate func calls(_ logs: CallLogs) -> Bool {
        var found = false
        ProgramWalk.statements(self) { statement in
            ProgramWalk.expressions(of: statement) { expression in
                if case .call(let function, _) = expression.kind, logs.parameters[function] != nil { found = true }
            }
        }
        return found
    }
}
