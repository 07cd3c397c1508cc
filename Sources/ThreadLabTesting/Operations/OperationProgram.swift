import Authoring
import Execution
import Histories
import Machine
import Primitives
import Supervision
import Text
import Trace

/// The intended behavior of the object under test, in the form that the checker of histories needs. Its operations are
/// the numbers of calls in the list.
struct OperationModel<Object, Model: Hashable>: SequentialModel {
    let initial: Model
    let calls: [OperationList<Object, Model>.Call]

    func answer(_ operation: Int, in state: inout Model) -> OperationAnswer? {
        let before = state
        do {
            return try calls[operation].model(&state)
        } catch is MustWait {
            state = before
            return nil
        } catch {
            return .thrown("\(error)")
        }
    }

    /// Whether the scenario's calls, made one at a time, get stuck in some order: calls are left, and the next one of
    /// each thread must wait.
    func mayWait(_ scenario: OperationScenario) -> Bool {
        var visited: Set<Moment> = []
        return mayWait(scenario, Moment(made: scenario.threads.map { _ in 0 }, state: initial), &visited)
    }

    /// A state between calls that are made one at a time.
    private struct Moment: Hashable {
        /// By thread, the number of its calls so far.
        var made: [Int]
        var state: Model
    }

    private func mayWait(_ scenario: OperationScenario, _ moment: Moment, _ visited: inout Set<Moment>) -> Bool {
        guard visited.insert(moment).inserted else { return false }
        var isAtEnd = true
        var canContinue = false
        for (thread, plan) in scenario.threads.enumerated() where moment.made[thread] < plan.count {
            isAtEnd = false
            var next = moment
            if answer(plan[moment.made[thread]], in: &next.state) == nil { continue }
            canContinue = true
            next.made[thread] += 1
            if mayWait(scenario, next, &visited) { return true }
        }
        return !isAtEnd && !canContinue
    }
}

/// A scenario of calls as a program: each thread makes the calls of its plan, and the main thread judges the history.
///
/// The real-time order of calls must be visible to the search, which runs only one of several executions that differ in
/// the order of independent steps. So before a call, its thread loads how many calls each other thread has finished,
/// and after the call it stores its own number. Two beginnings of calls, or two returns, are still independent. Under
/// sc these atomics are relaxed: they must not order other memory, which would hide data races.
final class OperationProgram<Object, Model: Hashable>: Runnable, @unchecked Sendable {
    typealias Calls = History<Int, OperationAnswer>

    let scenario: OperationScenario
    let model: OperationModel<Object, Model>
    let criterion: Criterion
    /// Whether the model lets calls wait until no thread can continue.
    let mayWait: Bool
    private let makeObject: () throws -> Object
    /// Whether the order of calls also orders their accesses of memory: under a memory model weaker than sc.
    private let ordersMemory: Bool
    /// The place of reports that are not about one call.
    private let place: CallPlace
    /// The history of the last execution. It has no lock, because the threads are fibers of one thread.
    private(set) var history = Calls([])
    private(set) var end = HistoryEnd.open
    /// Shared memory into which the program writes the calls so far, for another process. Nil: none.
    var board: SharedText?

    init(
        _ scenario: OperationScenario, _ model: OperationModel<Object, Model>, _ criterion: Criterion,
        _ memory: MemoryModel, _ place: CallPlace, _ makeObject: @escaping () throws -> Object
    ) {
        self.place = place
        self.scenario = scenario
        self.model = model
        self.criterion = criterion
        self.makeObject = makeObject
        ordersMemory = memory != .sc
        mayWait = model.mayWait(scenario)
    }

    var name: String { "the operations" }
    var label: String { "the operations" }
    var parameters: [ParameterDescription] { [] }
    var arguments: [(name: String, value: String)] { [] }
    var guide: String? { nil }
    var expectation: Expectation { .completes }
    func review(_ remains: Remains) throws {}
    func obstacle(under model: MemoryModel) -> String? {
        ordersMemory ? nil : "the order of calls is observed by atomics that order nothing under sc"
    }

    func run() throws {
        try makeCalls()
        try judge()
    }

    /// Makes all calls of the scenario, each thread's in order.
    func makeCalls() throws {
        history = Calls(scenario.threads.map { _ in [] })
        end = .open
        let object = try makeObject()
        let finished = scenario.threads.indices.map {
            Atomic(partNamed: "\(OperationScenario.name(ofThread: $0).possessive) finished calls", 0)
        }
        let threads = try scenario.threads.enumerated().map { number, plan in
            let work = Work { for call in plan { try self.make(call, on: object, number, finished) } }
            return try Thread(OperationScenario.name(ofThread: number), file: place.fileID, line: place.line) {
                try work.body()
            }
        }
        for thread in threads { try waitForEnd(of: thread) }
    }

    /// Waits for the end of a thread. Where calls may wait forever, this wait has a time limit. Virtual time reaches it
    /// only when no thread can continue: then all other threads wait, and the history ends there.
    private func waitForEnd(of thread: Thread) throws {
        if !mayWait {
            try thread.join(file: place.fileID, line: place.line)
        } else if try !hasEnded(thread) {
            end = .stuck
            try thread.detach(file: place.fileID, line: place.line)
        }
    }

    private func hasEnded(_ thread: Thread) throws -> Bool {
        try thread.join(until: Instant(nanoseconds: Self.oneYear), file: place.fileID, line: place.line) != nil
    }

    /// In nanoseconds of virtual time.
    private static var oneYear: Int { 365 * 86_400 * 1_000_000_000 }

    /// Makes one call, and enters it in the history.
    private func make(_ call: Int, on object: Object, _ thread: Int, _ finished: [Atomic<Int>]) throws {
        var seen = [Int](repeating: 0, count: finished.count)
        if criterion.needsRealTime {
            for other in finished.indices where other != thread {
                seen[other] = try finished[other].load(ordering: ordersMemory ? .acquiring : .relaxed)
            }
        }
        let (number, listed) = (history.calls[thread].count, model.calls[call])
        history.calls[thread].append(Calls.Call(call, answer: nil, returned: seen))
        note(listed.text, file: listed.file, line: listed.line)
        board?.text = table.joined(separator: "\n")
        let answer = try Self.answer { try listed.object(object) }
        history.calls[thread][number].answer = answer
        board?.text = table.joined(separator: "\n")
        let result = answer.text.isEmpty ? "returns" : "→ \(answer.text)"
        note("\(listed.text) \(result)", file: listed.file, line: listed.line)
        if criterion.needsRealTime {
            try finished[thread].store(number + 1, ordering: ordersMemory ? .releasing : .relaxed)
        }
    }

    /// An error of the object is an answer. An error of the lab ends the execution.
    private static func answer(_ body: () throws -> OperationAnswer) throws -> OperationAnswer {
        do {
            return try body()
        } catch let error where error.isOfLab {
            throw error
        } catch {
            return .thrown("\(error)")
        }
    }

    private func judge() throws {
        if history.legalOrder(model, criterion, end: end) != nil { return }
        try check(
            false,
            end == .stuck
                ? "no legal order of the calls leaves these calls waiting"
                : "no legal order of the calls has these results", file: place.fileID, line: place.line)
    }
}

/// The work of a thread. It need not be sendable, because all threads are fibers of one thread.
private struct Work: @unchecked Sendable {
    let body: () throws -> Void
}

extension Error {
    /// Whether the error comes from the lab and ends the execution, rather than being a result of the object's own
    /// code.
    fileprivate var isOfLab: Bool {
        self is RunEnded || self is AssertionFailed || self is NoProgress || self is Misuse || self is ThreadExit
            || self is ThreadCreationFailed
    }
}
