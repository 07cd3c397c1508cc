import Authoring
import Exploration
import Machine
import Supervision
import Trace

/// The run that a session steps through: a controlled run with its choices, or the recorded order of a run on real
/// threads. Its positions are numbers of steps, from 0, before the first step, to `last`. What is known at each
/// position is stored, so going back is cheap.
struct PlayedRun {
    let trace: TraceDocument
    let schedule: Schedule
    /// Whether the run is controlled, so that other choices are possible. Otherwise it was recorded on real threads.
    let isControlled: Bool
    /// Whether the run was only executed up to its last position, and can be continued there.
    let isPaused: Bool
    /// Whether all events are in one source file, whose name need not be repeated.
    let isInOneFile: Bool
    /// For a controlled run: the scheduler's view of each position.
    private let moments: MomentList
    /// For a recorded order: the number of events before each position.
    private let places: [Int]
    private let index: ThreadEvents
    /// By event number: whether the event is shown as a step.
    let roles: [EventRoles.Role]
    /// The time limits of waits, by event number.
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

    /// A recorded order. Each event that reports show is a step.
    init(recorded trace: TraceDocument) {
        self.trace = trace
        schedule = Schedule()
        moments = MomentList()
        isPaused = false
        isControlled = false
        isInOneFile = Self.isInOneFile(trace)
        var places = [0]
        (roles, limits) = trace.roles()
        for number in trace.events.indices where roles[number] == .step { places.append(number + 1) }
        // The last step includes the events after it.
        if places.last != trace.events.count { places[places.count - 1] = trace.events.count }
        self.places = places
        index = ThreadEvents(trace)
    }

    /// Whether all places of events are in one file.
    private static func isInOneFile(_ trace: TraceDocument) -> Bool {
        Set(trace.sites.compactMap { $0?.file }).count == 1
    }

    /// The last position. No step leaves the last moment of a paused run.
    var last: Int { isControlled ? (isPaused ? moments.count - 1 : moments.count) : places.count - 1 }

    func isOver(at position: Int) -> Bool { !isPaused && position >= last }

    /// The number of events before the position.
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

    /// The choices before the position.
    func schedule(to position: Int) -> Schedule { Schedule(Array(schedule.choices.prefix(choices(before: position)))) }

    /// The choices of the step that leaves the position, if it is known.
    func step(from position: Int) -> [Schedule.Choice] {
        guard isControlled, position < last else { return [] }
        return Array(schedule.choices[choices(before: position)..<choices(before: position + 1)])
    }

    /// What can happen at the position. Nil: the run is over, or its order was recorded.
    func moment(at position: Int) -> Moment? {
        isControlled && position < moments.count ? moments[position] : nil
    }

    /// The scheduler's values of memory and permits of semaphores at the position, by object; empty if the order was
    /// recorded. After the end, they are the values before the last step.
    func values(at position: Int) -> [Int?] {
        guard isControlled, moments.count > 0 else { return [] }
        return moments[min(position, moments.count - 1)].values
    }

    /// The thread's next event after the position in the known run. Nil: there is none.
    func next(_ thread: Int, after position: Int) -> Event? {
        index.first(of: thread, from: events(before: position)).map { trace.events[$0] }
    }

    /// The position after the event with this number, or the last one.
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

/// The program of a session, and its settings.
package struct PlayedProgram {
    /// Nil: only the trace exists, and its order cannot be changed.
    package var plan: RunPlan?
    /// The command's name as the user typed it, for commands to copy.
    package var tool: String
    /// The file of the trace that is played. Nil: none.
    package var file: String?
    /// The time limit of a hint, in nanoseconds.
    package var hintTime = UsualTime.hint
    /// The text of a line of source.
    package var source: @Sendable (TraceDocument.Site) -> String? = { _ in nil }

    /// All lines of a source file, with their indentation. If the source is not available, there is no line, or a
    /// single empty one.
    package var lines: @Sendable (_ file: String) -> [Substring] = { _ in [] }

    package init(_ plan: RunPlan?, tool: String) {
        self.plan = plan
        self.tool = tool
    }
}

/// An index of a trace by thread, to find a thread's next event.
struct ThreadEvents {
    /// By thread: the numbers of its events in the trace.
    private var places: [[Int]] = []

    init(_ trace: TraceDocument) {
        places = Array(repeating: [], count: trace.threads.count)
        for (place, event) in trace.events.enumerated() where !event.kind.concernsRunOnly && !event.kind.isOfMemoryModel
        {
            let thread = Int(event.thread.index)
            if places.indices.contains(thread) { places[thread].append(place) }
        }
    }

    /// The number of the thread's first event that has this number or a greater one. Nil: there is none.
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
    /// Whether the event says how the run ended, and nothing about a thread.
    fileprivate var concernsRunOnly: Bool {
        switch effect.end {
        case .completion, .timeout, .cycle, .stepLimit, .interrupted, .diverged: true
        case nil, .exit, .forever, .starvation, .crash, .killed, .quit: false
        }
    }
}
