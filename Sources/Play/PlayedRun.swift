import Authoring
import Exploration
import Machine
import Supervision
import Trace

/// What is being stepped through: a controlled run with the decisions in it, or a recorded order of events.
///
/// Its positions are 0, before the first step, to `last`. All of them are known, so going back costs nothing.
struct PlayedRun {
    let trace: TraceDocument
    let schedule: Schedule
    /// Whether each step can be decided differently; otherwise the order was recorded on real threads.
    let isControlled: Bool
    /// Whether more steps can be taken at the last position.
    let isPaused: Bool
    /// Whether all places are lines of one file, which need not be repeated.
    let isInOneFile: Bool
    private let moments: MomentList
    /// Of a recorded order: the number of events before each position.
    private let places: [Int]
    private let index: ThreadEvents
    /// What each event is to a reader.
    let roles: [EventRoles.Role]
    /// The time limits of waits, by the numbers of their events.
    let limits: [Int: Int64]

    init(_ run: SteppedRun) {
        trace = run.trace
        schedule = run.schedule
        moments = run.moments
        isPaused = run.isPaused && run.moments.count > 0
        isControlled = true
        places = []
        isInOneFile = Self.isInOneFile(trace)
        index = ThreadEvents(run.trace)
        (roles, limits) = run.trace.roles()
    }

    /// An order that was recorded: each event that reports show is a step.
    init(recorded trace: TraceDocument) {
        self.trace = trace
        schedule = Schedule()
        moments = MomentList()
        isPaused = false
        isControlled = false
        isInOneFile = Self.isInOneFile(trace)
        var places = [0]
        (roles, limits) = trace.roles()
        for index in trace.events.indices where roles[index] == .step { places.append(index + 1) }
        if places.last != trace.events.count { places[places.count - 1] = trace.events.count }
        self.places = places
        index = ThreadEvents(trace)
    }

    private static func isInOneFile(_ trace: TraceDocument) -> Bool {
        Set(trace.sites.compactMap { $0?.file }).count == 1
    }

    var last: Int { isControlled ? (isPaused ? moments.count - 1 : moments.count) : places.count - 1 }

    /// Whether the run is over there.
    func isOver(at position: Int) -> Bool { !isPaused && position >= last }

    /// The number of the run's events before the position.
    func events(before position: Int) -> Int {
        if !isControlled { return places[min(position, places.count - 1)] }
        return position < moments.count ? min(moments.events(before: position), trace.events.count) : trace.events.count
    }

    /// The number of the schedule's choices before the position.
    func choices(before position: Int) -> Int {
        guard isControlled else { return 0 }
        let all = schedule.choices.count
        return position < moments.count ? min(moments.choices(before: position), all) : all
    }

    /// The schedule that leads to the position.
    func schedule(to position: Int) -> Schedule { Schedule(Array(schedule.choices.prefix(choices(before: position)))) }

    /// The choices of the step that leaves the position, as far as it is known.
    func step(from position: Int) -> [Schedule.Choice] {
        guard isControlled, position < last else { return [] }
        return Array(schedule.choices[choices(before: position)..<choices(before: position + 1)])
    }

    /// What can happen there. Nil: the run is over, or its order was recorded.
    func moment(at position: Int) -> Moment? {
        isControlled && position < moments.count ? moments[position] : nil
    }

    /// The values of memory and permits of semaphores there, by object, as the scheduler has them; empty, if the order
    /// was recorded. After the end they are those before the last step.
    func values(at position: Int) -> [Int?] {
        guard isControlled, moments.count > 0 else { return [] }
        return moments[min(position, moments.count - 1)].values
    }

    /// What the thread does next after the position: its next event in what is known of the run. Nil: nothing is.
    func next(_ thread: Int, after position: Int) -> Event? {
        index.first(of: thread, from: events(before: position)).map { trace.events[$0] }
    }

    /// The position after the first of these events, or the last one.
    func position(afterEvent event: Int) -> Int {
        var low = 0
        var high = last
        while low < high {
            let middle = (low + high) / 2
            if events(before: middle) > event { high = middle } else { low = middle + 1 }
        }
        return low
    }
}

/// What a session runs, and how.
package struct PlayedProgram {
    /// Nil: only the trace is there, and its order cannot be changed.
    package var plan: RunPlan?
    /// The program's name, as the user typed it: it appears in commands to paste.
    package var tool: String
    /// The file of the trace that is played. Nil: none is.
    package var file: String?
    /// The time for a hint, in nanoseconds.
    package var hintTime = UsualTime.hint
    /// The text of a line of source.
    package var source: @Sendable (TraceDocument.Site) -> String? = { _ in nil }

    /// All lines of a source file, with their indentation. Empty: they are not known.
    package var lines: @Sendable (_ file: String) -> [Substring] = { _ in [] }

    package init(_ plan: RunPlan?, tool: String) {
        self.plan = plan
        self.tool = tool
    }
}

/// Where each thread's events are in a trace, to find its next one.
struct ThreadEvents {
    private var places: [[Int]] = []

    init(_ trace: TraceDocument) {
        places = Array(repeating: [], count: trace.threads.count)
        for (place, event) in trace.events.enumerated() where !event.kind.concernsRunOnly && !event.kind.isOfMemoryModel
        {
            let thread = Int(event.thread.index)
            if places.indices.contains(thread) { places[thread].append(place) }
        }
    }

    /// The place of the thread's first event from this place on.
    func first(of thread: Int, from start: Int) -> Int? {
        guard places.indices.contains(thread) else { return nil }
        let own = places[thread]
        var low = 0
        var high = own.count
        while low < high {
            let middle = (low + high) / 2
            if own[middle] < start { low = middle + 1 } else { high = middle }
        }
        return low < own.count ? own[low] : nil
    }
}

extension EventKind {
    /// Whether the event says how the run ended, and nothing of its thread.
    fileprivate var concernsRunOnly: Bool {
        switch effect.end {
        case .completion, .timeout, .cycle, .stepLimit, .interrupted, .diverged: true
        case nil, .exit, .forever, .starvation, .crash, .killed, .quit: false
        }
    }
}
