import Diagnosis
import Exploration
import Machine
import Supervision
import Trace
import Views

/// The ways in which a thread's next step can go (`alternatives` in a schedule), with the numbers that a user types for
/// them: the waiters that it may wake, the values that `choose` may return, or, under a weaker memory model, the writes
/// that it may read, counted from the newest.
struct Ways {
    let count: Int
    /// For a step that wakes a waiter: the waiting threads, in the order of the alternatives. A user types the thread.
    private let waiters: [Int]
    /// Under a weaker memory model, by alternative: how many writes are newer than the one that the step reads or
    /// makes.
    let newer: [Int]
    /// Whether the step is an update of an atomic. If it has several ways, it is a weak compare-exchange that finds the
    /// expected value, and either succeeds or fails.
    private let mayFail: Bool

    init(_ thread: Moment.Thread) {
        waiters = thread.waiters
        newer = thread.newer
        count = thread.ways
        mayFail = thread.act == .update
    }

    /// The alternative for a number that the user typed. Nil: there is none.
    func alternative(_ number: Int) -> Int? {
        if !waiters.isEmpty { return waiters.firstIndex(of: number) }
        return (0..<count).contains(number) ? number : nil
    }

    /// The request for a number.
    var request: String { Self.request(waiters.isEmpty ? Array(0..<count) : waiters) }

    static func request(_ numbers: [Int]) -> String {
        let sorted = numbers.sorted()
        if sorted.count > 3, let first = sorted.first, let last = sorted.last, last - first == sorted.count - 1 {
            return "Type a number from \(first) to \(last)."
        }
        return "Type \(sorted.map(String.init).joined(separator: sorted.count == 2 ? " or " : ", "))."
    }

    /// A line for each way, and the request.
    func lines(_ name: (Int) -> String) -> [String] {
        if !waiters.isEmpty { return waiters.map { "  \($0): it wakes \(name($0))." } + [request] }
        if mayFail { return ["  0: it succeeds.", "  1: it fails without a reason.", request] }
        let rest = count > Self.mostLines ? ["  And so on, to \(count - 1)."] : []
        return (0..<min(count, Self.mostLines)).map { "  \($0): it chooses \($0)." } + rest + [request]
    }

    /// The maximum number of ways of a `choose` that have lines of their own.
    private static let mostLines = 10

    /// Whether all numbers have one digit.
    var takesOneDigit: Bool { (waiters.max() ?? count - 1) <= 9 }
}

/// The questions that the session asks the user, and their answers. At most one is open.
extension PlaySession {
    enum Question {
        /// Which way does the thread's step go?
        case way(thread: Int, Ways)
        /// In a quiet moment, in which threads can step only if a wait ends by itself or if they repeat themselves:
        /// does that happen? See `quietLines`.
        case quiet
        /// In predict mode, if the run already contains the next step: which thread takes it? `further`: how many more
        /// steps the user then wants to go forward.
        case whichThread(further: Int)
        /// In predict mode, when the step has been taken but is not shown before the answer: which threads can step
        /// after it?
        case enabledThreads
        /// In predict mode: what is the object's value after the step?
        case value(Event)
        /// In predict mode: the run ends with the step. How?
        case outcome([OutcomeKind])
    }

    /// Opens a question.
    mutating func ask(_ question: Question) -> [String] {
        self.question = question
        return questionLines
    }

    /// The open question, and the possible answers.
    package var questionLines: [String] {
        switch question {
        case nil: return []
        case .quiet: return quietLines
        case .way(let thread, let ways):
            let lines = ways.newer.isEmpty ? ways.lines(name) : memoryLines(thread, ways)
            return ["\(name(thread))'s step can go \(ways.count) ways."] + lines
        case .whichThread: return ["Which thread takes step \(position + 1)? Type its number."]
        case .enabledThreads:
            return ["\(steppingName) steps. Which threads can step after that? Type their numbers, or 'none'."]
        case .value(let event):
            let place = at(event.site)
            return [
                "\(steppingName) changes \(words.name(event.object))\(place). What is its value after that? "
                    + "Type a number."
            ]
        case .outcome(let kinds):
            return ["\(steppingName) steps, and the run ends. How?"]
                + kinds.enumerated().map { "  \($0 + 1): \($1.rawValue)" }
                + [Ways.request(Array(1...kinds.count))]
        }
    }

    private var steppingName: String { name(nextThread ?? 0) }

    /// Whether a single digit answers the open question. True if none is open.
    package var takesOneDigit: Bool {
        switch question {
        case nil, .quiet, .outcome: true
        case .way(_, let ways): ways.takesOneDigit
        case .whichThread: threads.count <= 10
        case .enabledThreads, .value: false
        }
    }

    /// Answers the open question. Numbers that are no possible answer leave it open.
    mutating func answer(_ numbers: [Int]) throws -> [String] {
        guard let question else { return ["There is no question."] }
        switch question {
        case .way(let thread, let ways):
            guard numbers.count == 1, let way = ways.alternative(numbers[0]) else { return [ways.request] }
            close()
            defer { askIfQuiet() }
            return try choose([.thread(UInt16(thread)), .alternative(way)])
        case .quiet:
            guard numbers.count == 1, numbers[0] < 2 else { return quietLines }
            close()
            defer { askIfQuiet() }
            return try take([.alternative(numbers[0])])
        case .whichThread(let further):
            guard numbers.count == 1, threads.contains(numbers[0]) else { return [Ways.request(Array(threads))] }
            return answerThread(numbers[0], further)
        case .enabledThreads: return answerThreads(numbers)
        case .value(let event):
            guard numbers.count == 1 else { return ["Type a number."] }
            return settle(Int64(numbers[0]) == event.value, "it is \(event.value)")
        case .outcome(let kinds):
            guard numbers.count == 1, kinds.indices.contains(numbers[0] - 1) else {
                return [Ways.request(Array(1...kinds.count))]
            }
            let end = run.trace.outcome?.kind
            return settle(kinds[numbers[0] - 1] == end, "it is '\(end?.rawValue ?? "unknown")'")
        }
    }

    /// Closes the question. The step that was taken for it remains part of the run.
    private mutating func close() {
        question = nil
        runBeforeQuestion = nil
    }

    /// Withdraws the question. A step that was taken for it is taken back: the run is the one before the question.
    mutating func withdrawQuestion() -> [String] {
        if let known = runBeforeQuestion { show(known) }
        close()
        askIfQuiet()
        return ["No step was taken. \(readyLine)"]
    }

    // MARK: - Predictions

    /// Takes the step with these choices. In predict mode, the program makes the step, to know the answer, but the user
    /// is asked about it before it is shown.
    mutating func choose(_ choices: [Schedule.Choice]) throws -> [String] {
        guard predicts else { return try take(choices) }
        let known = run
        try extend(by: choices)
        runBeforeQuestion = known
        return ask(prediction)
    }

    /// The question about the step that was taken: how the run ends, if it does; or which value memory has, if the step
    /// writes; or which threads can step then.
    private var prediction: Question {
        if run.isOver(at: position + 1), let kind = run.trace.outcome?.kind {
            let common: [OutcomeKind] = [.completed, .deadlock, .assertion]
            return .outcome(common.contains(kind) ? common : common + [kind])
        }
        let events = eventCount..<run.events(before: position + 1)
        guard let event = events.first(where: { run.roles[$0] == .step }).map({ run.trace.events[$0] }),
            event.kind.effect.isWrite, event.kind.effect.showsValue, event.value != Event.noNumber,
            !event.kind.isOfList
        else { return .enabledThreads }
        return .value(event)
    }

    private mutating func answerThread(_ thread: Int, _ further: Int) -> [String] {
        let right = nextThread ?? 0
        let lines = settle(thread == right, "it is \(right) (\(name(right)))")
        guard further > 0, question == nil, position < run.last else { return lines }
        return lines.filter { $0 != readyLine } + forward(further)
    }

    private mutating func answerThreads(_ numbers: [Int]) -> [String] {
        let next = run.moment(at: position + 1)
        let enabled = next?.isQuiet == true ? [] : next?.enabled ?? []
        let truth = enabled.isEmpty ? "no thread can step" : "\(list(enabled)) can step"
        let isRight = Set(numbers) == Set(enabled)
        return settle(isRight, truth)
    }

    /// Counts the answer in the score, and shows the step.
    ///
    /// - Parameter truth: the right answer, as a clause.
    private mutating func settle(_ isRight: Bool, _ truth: String) -> [String] {
        close()
        score.all += 1
        if isRight { score.right += 1 }
        let lines = move(to: position + 1)
        askIfQuiet()
        return [isRight ? "Right: \(truth)." : "No, \(truth)."] + lines
    }

    mutating func setPredict(_ isOn: Bool) -> [String] {
        predicts = isOn
        if isOn { return ["Predict mode is on: you are asked before each step is shown. 'predict' ends it."] }
        return ["Predict mode is off."] + scoreLines
    }

    /// The number of right predictions.
    package var scoreLines: [String] {
        score.all == 0 ? [] : ["\(score.right) of \(Names.count(score.all, "prediction")) right."]
    }
}
