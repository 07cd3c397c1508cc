import Machine

/// The decisions of a run, in order. They are decoded when they are looked at, so that a long run is read at once.
package struct MomentList: Sendable {
    static let headLength = 5

    private var words: [Int] = []
    private var starts: [Int] = []

    package init() {}

    /// - Parameter words: the rows of a `MomentBoard`. What follows a row that makes no sense is dropped.
    init(_ words: [Int]) {
        self.words = words
        var start = 0
        var last = (choices: 0, events: 0)
        while start + Self.headLength <= words.count {
            let length = words[start]
            let threads = words[start + 4]
            guard length >= Self.headLength, (0...MachineState.maximumThreads).contains(threads),
                length >= Self.headLength + threads, start + length <= words.count,
                words[start + 1] >= last.choices, words[start + 2] >= last.events
            else { break }
            last = (words[start + 1], words[start + 2])
            starts.append(start)
            start += length
        }
    }

    package var count: Int { starts.count }

    /// The number of events before this decision.
    package func events(before index: Int) -> Int { words[starts[index] + 2] }
    /// The number of choices before this decision.
    package func choices(before index: Int) -> Int { words[starts[index] + 1] }

    package subscript(index: Int) -> Moment {
        let row = words[starts[index]..<starts[index] + words[starts[index]]]
        let start = row.startIndex
        var waiters = row[(start + Self.headLength + row[start + 4])...]
        let threads = (0..<row[start + 4]).map { thread in
            Self.unpack(row[start + Self.headLength + thread], &waiters)
        }
        return Moment(
            choices: row[start + 1], events: row[start + 2], isQuiet: row[start + 3] != 0, threads: threads)
    }

    // MARK: - One thread in one word

    static func pack(_ thread: Int, _ ways: Int, _ state: MachineState) -> Int {
        let status = state.thread(thread).status
        let isOver = status == .ended || status == .running
        let act = isOver ? Act.inspect : state.ruling(on: thread).act
        let isEnabled = !isOver && state.isEnabled(thread)
        let isSignal = state.operation(of: thread).kind == .signal
        return (isEnabled ? 1 : 0) | (isSignal ? 2 : 0) | Int(status.rawValue) << 8 | Int(act.rawValue) << 16
            | min(ways, 1 << 30) << 32
    }

    private static func unpack(_ word: Int, _ waiters: inout ArraySlice<Int>) -> Moment.Thread {
        let ways = word >> 32
        let isSignal = word & 2 != 0 && ways > 1
        let own = isSignal ? Array(waiters.prefix(ways)) : []
        waiters = waiters.dropFirst(own.count)
        return Moment.Thread(
            status: ThreadState.Status(rawValue: UInt8(word >> 8 & 0xFF)) ?? .ended, isEnabled: word & 1 != 0,
            act: Act(rawValue: UInt8(word >> 16 & 0xFF)) ?? .inspect, ways: ways, waiters: own)
    }
}
