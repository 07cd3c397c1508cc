/// Contents of call logs, by number, for a search of graphs. The search puts a thread back to an earlier point, and
/// forward again, by copying its words. The thread's log is not among them, so one of the words
/// (`ThreadWords.recorded`) is the number of the log's contents at that point.
///
/// Contents are stored as a last value and the number of the contents before it, so common beginnings are stored once.
struct KeptLogs {
    /// The contents of a log.
    private struct Log: Hashable {
        /// The number of the contents without the last value.
        var before: Int
        /// The last value.
        var value: Int
    }

    /// By number: the contents. Number 0 is the empty log.
    private var logs = [Log(before: 0, value: 0)]
    /// By number: how many values there are.
    private var lengths = [0]
    private var numbers: [Log: Int] = [:]

    /// Writes the contents with this number into the words of a log.
    func restore(_ number: Int, to log: UnsafeMutablePointer<Int>) {
        log.pointee = lengths[number]
        var rest = number
        while rest != 0 {
            log[lengths[rest]] = logs[rest].value
            rest = logs[rest].before
        }
    }

    /// The number of a log's present contents, which may be new.
    ///
    /// - Parameter number: the number of its contents at an earlier time. Values have only been appended since.
    mutating func number(of log: UnsafePointer<Int>, extending number: Int) -> Int {
        var number = number
        while lengths[number] < log.pointee {
            let next = Log(before: number, value: log[lengths[number] + 1])
            if let known = numbers[next] {
                number = known
            } else {
                numbers[next] = logs.count
                lengths.append(lengths[number] + 1)
                number = logs.count
                logs.append(next)
            }
        }
        return number
    }
}
