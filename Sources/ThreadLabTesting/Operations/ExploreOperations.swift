import Execution
import Histories

/// The criterion by which calls of several threads are correct: whether the model, called by one thread, gives the same
/// answers in some order. The criteria differ in the orders that they allow.
public enum CallCriterion: Sendable {
    /// A call that has returned before another one is made precedes it (Herlihy and Wing, 1990). This is what users of
    /// a lock expect.
    case linearizability
    /// The calls of each thread keep their order (Lamport, 1979). Fewer executions must be tried.
    case sequentialConsistency
    /// A call precedes another one if at some moment between them no call was in progress (Aspnes, Herlihy and Shavit,
    /// 1994).
    case quiescentConsistency

    var criterion: Criterion {
        switch self {
        case .linearizability: .linearizability
        case .sequentialConsistency: .sequentialConsistency
        case .quiescentConsistency: .quiescentConsistency
        }
    }
}

/// Calls the operations of an object from several threads, in all combinations up to a size, each under different
/// schedules. Fails the test at this line if no sequence of calls, one at a time, explains the results.
///
/// ```swift
/// @Test func stackIsLinearizable() throws {
///     try exploreOperations(of: { Stack() }, model: [Int](), threads: 2, each: 2) {
///         $0.operation("push", 1...2) { try $0.push($1) } model: { $0.append($1) }
///         $0.operation("pop") { try $0.pop() } model: { $0.popLast() }
///     }
/// }
/// ```
///
/// Small combinations come first, so the first one that fails has the fewest calls. The failure shows its calls and
/// results as a table, the nearest legal order with the results that it requires, and the steps of the execution.
///
/// If all combinations were tried, each with every order of its steps, `triedEverything` is true. Then no execution of
/// these calls, by this number of threads, violates the criterion. This holds only for these arguments, this size and
/// the memory model of the rules. Accesses of plain variables are not covered, because they are not steps of the lab.
///
/// - `make`: creates the object of an execution. It runs on the main thread.
/// - `model`: the initial state of the model.
/// - `threads`, `each`: the maximum number of threads, and of calls of each thread, with at most 64 calls in total.
/// - `search`: the schedules to try for each combination. `.exhaustive` fails the test if not all were tried. With
///   `.isolated`, a crash or hang of an operation is a finding with its calls.
/// - `time`: the time limit for all combinations together.
/// - `criterion`: the criterion for correct results.
/// - `replaying`: a combination and a schedule, as shown by a failure. Only that execution is run.
/// - `rules`: additional behavior that the object's code does not determine.
/// - `operations`: lists the operations, each with its intended behavior.
///
/// - Returns: what was found, with counts.
/// - Throws: `TestingError`, for a mistake in the call; or, outside of a test, with the failure.
@discardableResult
public func exploreOperations<Object, Model: Hashable>(
    of make: @escaping () throws -> Object, model: Model, threads: Int = 2, each: Int = 2,
    _ search: ScheduleSearch = .automatic, time: Duration = .seconds(10),
    criterion: CallCriterion = .linearizability, replaying: String? = nil, rules: RunRules = RunRules(),
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line, column: UInt = #column,
    function: StaticString = #function, operations: (inout OperationList<Object, Model>) -> Void
) throws -> OperationsResult {
    let place = CallPlace(fileID: fileID, filePath: filePath, line: line, column: column, function: function)
    var list = OperationList<Object, Model>()
    operations(&list)
    let scenarios = try OperationScenarios(calls: list.calls.count, threads: threads, each: each).checked()
    let tested = TestedOperations(
        scenarios, OperationModel(initial: model, calls: list.calls), criterion.criterion, search, time, rules, place,
        make)
    if let replaying {
        try tested.replay(replaying)
        return OperationsResult()
    }
    return try tested.run()
}

/// What `exploreOperations` has tried and found, for further assertions.
public struct OperationsResult: Sendable {
    /// An execution with wrong results, or with a bad end.
    public struct Finding: Sendable {
        public let outcome: OutcomeKind
        /// The calls of each thread: `push(1), pop() | pop()`.
        public let calls: String
        /// Calls and results as a table, and the nearest legal order.
        public let history: String
        /// The combination and the choices that lead to it, for `replaying`.
        public let schedule: String
    }

    /// The number of combinations of calls that were tried.
    public internal(set) var combinations = 0
    /// The number of combinations for which every order of the lab's steps was tried.
    public internal(set) var proved = 0
    /// The number of all combinations up to this size, where the order of threads does not matter. Nil: it is too large
    /// to count.
    public internal(set) var all: Int?
    /// The number of executions.
    public internal(set) var executions = 0
    /// The number of steps of all executions together.
    public internal(set) var steps = 0
    public internal(set) var finding: Finding?
    public internal(set) var elapsed = Duration.zero

    /// Whether every order of the lab's steps was tried for every combination.
    public var triedEverything: Bool { finding == nil && proved == all }
}

extension OperationsResult: CustomStringConvertible {
    public var description: String {
        let tried = "\(combinations) of \(all.map { "\($0)" } ?? "very many") combinations of calls"
        let found = finding.map { "\($0.outcome.rawValue) with the calls \($0.calls)\n\($0.history)" } ?? "no finding"
        return "\(found) in \(tried), \(proved) of them in every order of the lab's steps: \(executions) executions"
    }
}

extension OperationScenarios {
    /// These scenarios, unless they have no call or too many.
    fileprivate func checked() throws(TestingError) -> OperationScenarios {
        if calls == 0 { throw TestingError("there are no operations: name some, with '$0.operation(…)'") }
        if threads < 1 || each < 1 || threads > Self.mostCalls / each {
            throw TestingError(
                "\(threads) threads with \(each) calls each: there must be from 1 to \(Self.mostCalls) calls, for "
                    + "example 2 threads with 3 each"
            )
        }
        return self
    }
}
