import Diagnosis
import Text
import Trace
import Views

/// The states of threads and objects on a run's page, as numbers. Equal states have the same number, and their words
/// are written once.
struct PageStates {
    /// The shown properties of a thread, without the times of its wait and of its holds.
    struct ThreadKey: Hashable {
        var activity: RunThread.Activity.Word
        var target: Wait.Target?
        var site = SiteID.unknown
        var isSignaled = false
        var said: Wait.Said?
        var blockers: Many<ThreadID>
        var holds: Many<Hold>
    }

    /// The shown properties of an object.
    struct ObjectKey: Hashable {
        var holders, waiters: Many<ThreadID>
        var isShared: Bool
        var value: Int64?
        var permits: Int?
        var form: ObjectKind.ValueForm
        var isLock: Bool
    }

    /// A list that may be very long. It keeps the first elements, the number of the others, and a hash of the others
    /// for comparisons.
    struct Many<Element: Hashable>: Hashable {
        let first: [Element]
        let others: Int
        private let hash: Int

        /// The maximum length of a list that is kept whole. Of a longer one, half as many elements are kept.
        private static var most: Int { 40 }

        init(_ all: [Element]) {
            first = all.count <= Self.most ? all : Array(all.prefix(Self.most / 2))
            let rest = all.dropFirst(first.count)
            others = rest.count
            hash = rest.isEmpty ? 0 : Array(rest).hashValue
        }

        func list(_ words: (Element) -> String) -> String {
            (first.map(words) + (others == 0 ? [] : ["and \(others) others"])).joined(separator: ", ")
        }
    }

    /// The words of the numbered states.
    struct Tables {
        var threads = Numbering<ThreadKey>()
        private(set) var threadWords: [[String]] = []
        var objects = Numbering<ObjectKey>()
        private(set) var objectWords: [[String]] = []
        /// The approximate size in bytes.
        private(set) var size = 0

        mutating func add(thread words: [String]) {
            threadWords.append(words)
            size += Self.size(words)
        }

        mutating func add(object words: [String]) {
            objectWords.append(words)
            size += Self.size(words)
        }

        /// The approximate size of a state besides its words, in bytes.
        private static let sizeOfState = 64

        private static func size(_ words: [String]) -> Int { words.reduce(sizeOfState) { $0 + $1.utf8.count } }

        func write(to json: inout JSONObject) {
            json.array("threadStates") { json in for words in threadWords { json.array(words) } }
            json.array("objectStates") { json in for words in objectWords { json.array(words) } }
        }
    }

    private let names: Names
    private let cast: Cast
    /// At index n: how many of the first n events are steps.
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

    /// The numbers of the thread's state and line, and of the step since which it waits or sleeps.
    func thread(_ id: ThreadID, _ run: RunMoment, _ tables: inout Tables) -> (Int, Int, Int) {
        let state = run.thread(id)
        var holds = names.known(state.holds)
        for hold in holds.indices { holds[hold].time = 0 }
        var key = ThreadKey(activity: state.activity.word, blockers: Many(state.blockers), holds: Many(holds))
        if case .waiting(let wait) = state.activity {
            (key.target, key.site, key.isSignaled) = (wait.target, wait.site, wait.isSignaled)
            key.said = wait.said
        }
        let number = tables.threads.number(of: key)
        if number == tables.threadWords.count { tables.add(thread: words(state, key, run)) }
        let lasts = key.activity == .waiting || key.activity == .asleep
        let site = names.trace.site(state.site) == nil ? 0 : Int(state.site.index)
        return (number, site, lasts ? stepsBefore[min(state.since, stepsBefore.count - 1)] : 0)
    }

    /// The activity's name in the page's style, the activity in words, what the thread holds, and `here` from the
    /// thread's creation until it has ended or was killed: the page then marks its line.
    private func words(_ state: RunThread, _ key: ThreadKey, _ run: RunMoment) -> [String] {
        let isPresent =
            switch key.activity {
            case .notCreated, .ended, .killed: false
            case .created, .running, .asleep, .waiting, .cutOff: true
            }
        return [
            key.activity.rawValue, cast.label(run.words(state, in: names)).text,
            key.holds.list { hold in
                let depth = hold.depth > 1 ? " ×\(hold.depth)" : ""
                return cast.object(hold.object).text + (hold.mode == .shared ? " for reading" : "") + depth
            },
            isPresent ? "here" : "",
        ]
    }

    /// The number of the object's state.
    func object(_ id: ObjectID, _ run: RunMoment, _ tables: inout Tables) -> Int {
        let kind = names.trace.object(id)?.kind
        let state = run.object(id)
        let key = ObjectKey(
            holders: Many(state.holders), waiters: Many(state.waiters), isShared: state.isShared, value: state.value,
            permits: state.permits, form: kind?.valueForm ?? .number, isLock: kind?.isLock == true)
        let number = tables.objects.number(of: key)
        if number == tables.objectWords.count { tables.add(object: words(key)) }
        return number
    }

    /// The object's value, the threads that hold it, and those that wait for it.
    private func words(_ key: ObjectKey) -> [String] {
        func list(_ threads: Many<ThreadID>) -> String { threads.list { cast.thread($0).text } }
        let permits = key.permits.map { "\($0) \($0 == 1 ? "permit" : "permits")" }
        let free = key.isLock && key.holders.first.isEmpty ? "free" : ""
        return [
            key.value.map { names.trace.words($0, as: key.form) } ?? permits ?? free,
            list(key.holders) + (key.isShared ? " (reading)" : ""), list(key.waiters),
        ]
    }
}

extension RunThread.Activity {
    /// The activity's name in a page's style.
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
