import Diagnosis
import Text
import Trace
import Views

/// The states of threads and objects as numbers: equal states have the same number, and their words are written once.
struct PageStates {
    /// What is shown of a thread. The times of its wait and of what it holds are not.
    struct ThreadKey: Hashable {
        var activity: RunThread.Activity.Word
        var target: Wait.Target?
        var site = SiteID.unknown
        var isSignaled = false
        var said: Wait.Said?
        var blockers: [ThreadID]
        var holds: [Hold]
    }

    /// What is shown of an object.
    struct ObjectKey: Hashable {
        var state: RunObject
        var isBoolean, isLock: Bool
    }

    /// The words of the numbered states.
    struct Tables {
        var threads = Numbering<ThreadKey>()
        var threadWords: [[String]] = []
        var objects = Numbering<ObjectKey>()
        var objectWords: [[String]] = []

        func write(to json: inout JSONObject) {
            json.array("threadStates") { json in for words in threadWords { json.array(words) } }
            json.array("objectStates") { json in for words in objectWords { json.array(words) } }
        }
    }

    private let names: Names
    private let cast: Cast
    /// The number of steps up to and including each event.
    private let stepsBefore: [Int]

    init(_ model: RunModel, steps: [Int], _ cast: Cast) {
        names = Names(model.trace)
        self.cast = cast
        var counts = [0]
        counts.reserveCapacity(model.trace.events.count + 1)
        var next = 0
        for index in model.trace.events.indices {
            if next < steps.count, steps[next] == index { next += 1 }
            counts.append(next)
        }
        stepsBefore = counts
    }

    /// The numbers of its state, of its line, and of the step since which it waits or sleeps.
    func thread(_ id: ThreadID, _ run: RunMoment, _ tables: inout Tables) -> (Int, Int, Int) {
        let state = run.thread(id)
        var key = ThreadKey(activity: state.activity.word, blockers: state.blockers, holds: state.holds)
        if case .waiting(let wait) = state.activity {
            (key.target, key.site, key.isSignaled) = (wait.target, wait.site, wait.isSignaled)
            key.said = wait.said
        }
        for hold in key.holds.indices { key.holds[hold].time = 0 }
        let number = tables.threads.number(of: key)
        if number == tables.threadWords.count { tables.threadWords.append(words(state, key, run)) }
        let lasts = key.activity == .waiting || key.activity == .asleep
        let site = names.trace.site(state.site) == nil ? 0 : Int(state.site.index)
        return (number, site, lasts ? stepsBefore[min(state.since, stepsBefore.count - 1)] : 0)
    }

    /// The activity's word for the page's style, words for people, what it holds, and whether it is at its line.
    private func words(_ state: RunThread, _ key: ThreadKey, _ run: RunMoment) -> [String] {
        let isPresent =
            switch key.activity {
            case .notCreated, .ended, .killed: false
            default: true
            }
        return [
            key.activity.rawValue, cast.label(run.words(state, in: names)).text,
            names.known(state.holds).map { hold in
                let depth = hold.depth > 1 ? " ×\(hold.depth)" : ""
                return cast.object(hold.object).text + (hold.mode == .shared ? " for reading" : "") + depth
            }.joined(separator: ", "),
            isPresent ? "here" : "",
        ]
    }

    func object(_ id: ObjectID, _ run: RunMoment, _ tables: inout Tables) -> Int {
        let kind = names.trace.object(id)?.kind
        let key = ObjectKey(
            state: run.object(id), isBoolean: kind?.isBoolean == true, isLock: kind?.isLock == true)
        let number = tables.objects.number(of: key)
        if number == tables.objectWords.count { tables.objectWords.append(words(key)) }
        return number
    }

    /// Its value, which threads hold it, and which wait for it.
    private func words(_ key: ObjectKey) -> [String] {
        let state = key.state
        func list(_ threads: [ThreadID]) -> String { threads.map { cast.thread($0).text }.joined(separator: ", ") }
        let permits = state.permits.map { "\($0) \($0 == 1 ? "permit" : "permits")" }
        let free = key.isLock && state.holders.isEmpty ? "free" : ""
        return [
            state.value.map { WordText.text($0, isBoolean: key.isBoolean) } ?? permits ?? free,
            list(state.holders) + (state.isShared ? " (reading)" : ""), list(state.waiters),
        ]
    }
}

extension RunThread.Activity {
    /// The activity as a page's style names it.
    enum Word: String { case notCreated, created, running, asleep, waiting, ended, killed, cutOff }

    fileprivate var word: Word {
        switch self {
        case .notCreated: .notCreated
        case .created: .created
        case .running: .running
        case .asleep: .asleep
        case .waiting: .waiting
        case .ended: .ended
        case .killed: .killed
        case .cutOff: .cutOff
        }
    }
}

/// Distinct values, numbered in the order in which they were first seen.
struct Numbering<Value: Hashable> {
    private(set) var all: [Value] = []
    private var numbers: [Value: Int] = [:]

    mutating func number(of value: Value) -> Int {
        if let known = numbers[value] { return known }
        numbers[value] = all.count
        all.append(value)
        return all.count - 1
    }
}
