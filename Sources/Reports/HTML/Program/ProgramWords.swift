import Diagnosis
import Exploration
import Text
import Trace
import Views

/// The states of a program in words: the same words as reports and `play` use for the events of a run.
///
/// These words are derived from events. A state of a `StateMap` has no events, because many runs can lead to it. So a
/// short series of events is made up that leads to the same holds and waits.
struct ProgramWords {
    /// The shown words about a thread.
    struct ThreadWords: Hashable {
        enum Kind: String {
            case absent, ready, waits, sleeps, ended
            /// The thread had not ended when the run did.
            case over
        }

        var kind = Kind.absent
        /// The thread's next step, or what it waits for, in a few words.
        var step = ""
        /// The reason why it cannot step, as a clause that follows its name.
        var why = ""
        var holds = ""
        /// The line that it has reached, from 1. 0: unknown.
        var line = 0
        var variables: [String] = []
    }

    /// The shown words about an object.
    struct ObjectWords: Hashable {
        var value: String
        var holders: String
        var waiters: String
    }

    private let map: StateMap
    private let names: Names
    private let cast: Cast
    private let words: StepWords
    /// The objects that the program names, by number.
    let objects: [Int]

    init(_ map: StateMap, file: String, lines: Int) {
        self.map = map
        var trace = TraceDocument(header: TraceHeader(scenario: file, runtime: .controlled))
        trace.threads = map.threads.map { TraceDocument.Thread(name: $0) }
        trace.objects = map.objects
        trace.sites = [nil] + (0..<lines).map { TraceDocument.Site(file: file, line: $0 + 1) }
        var names = Names(trace)
        names.omitsFile = true
        self.names = names
        cast = Cast(trace, ReportOptions())
        words = StepWords(cast: cast)
        objects = map.objects.indices.filter { number in
            map.objects[number] != nil && map.objects[number]?.kind != .part && !trace.isInside(ObjectID(number))
        }
    }

    var threadNames: [String] { cast.threads.map(\.text) }

    func name(ofObject number: Int) -> (name: String, kind: String) {
        (cast.object(ObjectID(number)).text, map.objects[number]?.kind.title ?? "")
    }

    /// - Returns: the words about the threads, and about `objects`.
    func describe(_ state: ShownState) -> (threads: [ThreadWords], objects: [ObjectWords]) {
        let moment = Self.moment(of: state)
        let story = WaitStory(names, moment.graph)
        return (
            state.threads.indices.map { thread($0, state, story) },
            objects.map { object($0, state, moment) }
        )
    }

    private static func moment(of state: ShownState) -> RunMoment {
        var moment = RunMoment()
        for event in events(of: state) { moment.consume(event) }
        return moment
    }

    /// Events that would lead to the state: threads are created, take what they hold, end, and begin to wait.
    private static func events(of state: ShownState) -> [Event] {
        var events: [Event] = []
        for (number, thread) in state.threads.enumerated() where number > 0 && thread.life != .absent {
            events.append(Event(time: 0, thread: .main, kind: .threadCreate, value: Int64(number)))
        }
        events += state.threads.flatMap(\.holds)
        for (number, thread) in state.threads.enumerated() where thread.life == .ended {
            events.append(Event(time: 0, thread: ThreadID(number), kind: .threadExit))
        }
        for number in state.waiters {
            guard let wait = state.threads[number].wait else { continue }
            if state.threads[number].isTimed {
                events.append(Event(time: 0, thread: wait.thread, kind: .threadDeadline))
            }
            events.append(wait)
        }
        return events
    }

    // MARK: - Threads

    private func thread(_ number: Int, _ state: ShownState, _ story: WaitStory) -> ThreadWords {
        let thread = state.threads[number]
        var result = ThreadWords()
        result.holds = cast.label(Names.list(story.holdings(ThreadID(number)))).text
        switch thread.life {
        case .absent: return result
        case .ended:
            result.kind = .ended
            return result
        case .alive: break
        }
        result.line = thread.line
        result.variables = thread.variables.map { cast.label("\($0.name) = \($0.value)").text }
        if thread.canStep {
            result.kind = .ready
            result.step = nextStep(of: thread)
        } else if let wait = thread.wait {
            let clause = story.clause(ThreadID(number))
            result.kind = clause == nil ? .sleeps : .waits
            result.step = clause == nil ? "sleeps" : words.label(wait, at: nil).text
            result.why = cast.label(clause ?? "sleeps: it continues when its time has passed").text
        } else if let end = state.end {
            // The main thread's end is the end of the run.
            let hasEnded = number == 0 && end.kind == .completed
            result.kind = hasEnded ? .ended : .over
            result.why = hasEnded ? "" : "had not ended: the run is over"
        } else {
            result.kind = .waits
            result.step = "cannot step"
            result.why = "cannot step now"
        }
        return result
    }

    private func nextStep(of thread: ShownState.Thread) -> String {
        guard let event = thread.next else { return cast.label(thread.nextInWords).text }
        if names.trace.isInside(event.object) { return "a step inside \(cast.object(event.object).text)" }
        // The words of this event, `waits for …`, are about what follows the step.
        if case .park = event.kind.effect { return cast.label(thread.nextInWords).text }
        return words.label(event, at: nil).text
    }

    /// An alternative of a step, in words.
    func way(_ way: ShownState.Way) -> String {
        switch way {
        case .wakes(let thread): "wakes \(cast.threads[thread].text)"
        case .chooses(let number): "chooses \(number)"
        case .succeeds: "succeeds"
        case .fails: "fails without a reason"
        }
    }

    // MARK: - Objects

    private func object(_ number: Int, _ state: ShownState, _ moment: RunMoment) -> ObjectWords {
        let object = moment.object(ObjectID(number))
        let kind = map.objects[number]?.kind
        func list(_ threads: [ThreadID]) -> String { threads.map { cast.thread($0).text }.joined(separator: ", ") }
        var value = state.values[number].map { cast.label($0).text } ?? ""
        if kind == .semaphore { value += value == "1" ? " permit" : " permits" }
        if kind?.isLock == true && object.holders.isEmpty { value = "free" }
        return ObjectWords(
            value: value, holders: list(object.holders) + (object.isShared ? " (reading)" : ""),
            waiters: list(object.waiters))
    }

    // MARK: - Ends and races

    /// How the run ended, in a sentence or two.
    func end(_ end: ShownState.End, _ state: ShownState) -> String {
        switch end.kind {
        case .completed:
            if end.seen.isEmpty { return "The run has completed." }
            let seen = end.seen.map(ProgramGoal.condition).sorted()
            return cast.label("The run has completed with \(Names.list(seen)).").text
        case .deadlock: return cast.label(deadlock(state)).text
        case .misuse:
            let call = end.event.map { words.label($0, at: nil).text } ?? "misuse"
            return "A call that the contract forbids: \(call)."
        case .leak: return "The run has ended, and a thread was never joined nor detached."
        case .livelock, .starvation, .assertion, .claim, .brokenClaim, .race, .lockOrder, .error, .timeout, .crash,
            .interrupted:
            let place = end.line > 0 ? " (line \(end.line))" : ""
            return cast.label("\(end.message ?? end.kind.rawValue)\(place).").text
        }
    }

    private func deadlock(_ state: ShownState) -> String {
        var run = RunState(followsOrder: false)
        for event in Self.events(of: state) { run.consume(event) }
        return EndingDetector().findings(in: names, run).first?.summary ?? "No thread can continue."
    }

    func race(_ race: ShownState.Race) -> String {
        let threads = names.list([ThreadID(race.first), ThreadID(race.second)])
        let verbs = race.firstWrites && race.secondWrites ? "both write" : "one reads and the other writes"
        let object = names.name(ObjectID(race.object))
        let text = "Data race on \(object): \(threads) can access it next, \(verbs), and nothing orders them."
        return cast.label(text).text
    }
}
