import Diagnosis
import Trace
import Views

/// What the threads of a run in progress are doing: a line about the run, and one for each living thread.
struct LiveThreads {
    private let state: RunMoment
    private let names: Names
    private let time: UInt64
    private let options: ReportOptions
    private let alive: [ThreadID]

    private static let widestName = 16
    private static let durationWidth = 8

    init(state: RunMoment, names trace: TraceDocument, time: UInt64, options: ReportOptions) {
        self.state = state
        var names = Names(trace)
        names.omitsFile = Set(trace.sites.lazy.compactMap { $0?.file }).count == 1
        self.names = names
        self.time = time
        self.options = options
        alive = state.graph.alive
    }

    /// - Parameter most: the maximum number of lines. If there are more threads, the least important are only counted.
    func lines(most: Int, width: Int) -> [String] {
        // The first line is about the run.
        let room = most - 1
        let fits = alive.count <= room
        let shown = fits ? alive : Array(byImportance.prefix(max(room - 1, 0)))
        let labels = shown.map { Label(names.name($0), ascii: options.ascii) }
        let nameWidth = min(labels.reduce(0) { max($0, $1.width) }, Self.widestName, max(width / 4, 3))
        let threads = zip(shown, labels).map { line($0, $1, nameWidth: nameWidth, width) }
        let rest = alive.count - shown.count
        return [title(width)] + threads + (rest > 0 && room > 0 ? [line(on: rest, without: shown, width)] : [])
    }

    // MARK: - The run

    private func title(_ width: Int) -> String {
        let ended = names.trace.threads.count - alive.count
        let threads = Names.count(alive.count, "thread") + (ended > 0 ? " (\(ended.grouped) ended)" : "")
        let events = "\(state.position.grouped) event\(state.position == 1 ? "" : "s")"
        var line = LiveLine(options, width: width)
        line.put(Label("\(time.seconds(digits: 1)) s: \(threads), \(events)"), at: 0, .bold)
        return line.text
    }

    // MARK: - A thread

    /// For example `first   0.4 s  waits for b at line 22, which second holds; holds a`.
    private func line(_ id: ThreadID, _ name: Label, nameWidth: Int, _ width: Int) -> String {
        let thread = state.thread(id)
        var line = LiveLine(options, width: width)
        let isIdle = thread.activity == .asleep || thread.activity == .created
        line.put(name.clippedInMiddle(to: nameWidth, ascii: options.ascii), at: 1, .thread(Int(id.index)))
        let duration = (time - min(thread.time, time)).seconds(digits: 1)
        line.put(Label("\(duration) s"), before: nameWidth + 2 + Self.durationWidth, .dim)
        let words = Label(words(thread), ascii: options.ascii)
        line.put(words, at: nameWidth + 4 + Self.durationWidth, isIdle ? .dim : .plain)
        return line.text
    }

    private func words(_ thread: RunThread) -> String {
        var text = state.words(thread, in: names)
        if case .running = thread.activity, let place = names.place(thread.site) { text += ", last step at \(place)" }
        let held = names.known(thread.holds).map { names.name($0.object) + ($0.mode == .shared ? " for reading" : "") }
        return held.isEmpty ? text : "\(text); holds \(Names.list(held))"
    }

    // MARK: - Many threads

    /// First the threads for which others wait, the one that has been awaited longest first; then waiting threads, the
    /// longest wait first; then the others by number.
    private var byImportance: [ThreadID] {
        /// When the longest wait for a thread began, in nanoseconds since the run began.
        var awaited: [ThreadID: UInt64] = [:]
        for wait in state.graph.blocked {
            for blocker in state.graph.blockers(of: wait.thread) {
                awaited[blocker] = min(awaited[blocker] ?? .max, wait.time)
            }
        }
        func rank(_ thread: ThreadID) -> (Int, UInt64, Int) {
            if let since = awaited[thread] { return (0, since, Int(thread.index)) }
            if let wait = state.graph.wait(of: thread) { return (1, wait.time, Int(thread.index)) }
            return (2, 0, Int(thread.index))
        }
        return alive.map { (rank($0), $0) }.sorted { $0.0 < $1.0 }.map(\.1)
    }

    /// For example `and 18 more: 12 wait, 5 run, 1 sleeps`.
    private func line(on rest: Int, without shown: [ThreadID], _ width: Int) -> String {
        let shown = Set(shown)
        var counts = (waits: 0, runs: 0, sleeps: 0, created: 0)
        for id in alive where !shown.contains(id) {
            switch state.thread(id).activity {
            case .waiting: counts.waits += 1
            case .asleep: counts.sleeps += 1
            case .created: counts.created += 1
            // Of these states, a living thread can only be in the first.
            case .running, .notCreated, .ended, .killed, .cutOff: counts.runs += 1
            }
        }
        let parts = [
            (counts.waits, "waits", "wait"), (counts.runs, "runs", "run"), (counts.sleeps, "sleeps", "sleep"),
            (counts.created, "has not started", "have not started"),
        ].filter { $0.0 > 0 }.map { "\($0.0) \($0.0 == 1 ? $0.1 : $0.2)" }
        var line = LiveLine(options, width: width)
        line.put(Label("and \(rest) more: \(parts.joined(separator: ", "))"), at: 1, .dim)
        return line.text
    }
}

/// A line of a terminal that is never wider than its limit.
struct LiveLine {
    private var line: Line
    private var sink = ByteSink()
    private let ascii: Bool
    private let width: Int

    init(_ options: ReportOptions, width: Int) {
        line = Line(options)
        ascii = options.ascii
        self.width = width
    }

    /// Like `Line.put`, but cut off at the limit.
    mutating func put(_ label: Label, at column: Int, _ color: Color = .plain, gap: Int = 1) {
        let start = max(column, line.next(gap: gap))
        guard start < width else { return }
        line.put(label.clipped(to: width - start, ascii: ascii), at: column, color, gap: gap, to: &sink)
    }

    mutating func put(_ label: Label, before column: Int, _ color: Color = .plain) {
        put(label, at: max(column - label.width, 0), color)
    }

    var text: String { String(decoding: sink.bytes, as: UTF8.self) }
}
