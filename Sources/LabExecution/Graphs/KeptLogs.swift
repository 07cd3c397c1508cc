/// Numbered contents of logs. A search restores a thread by its words, also to a later position than the current one,
/// when its log has been overwritten.
///
/// A log is stored as a shorter log and a last value, so that there are only as many as there are different beginnings
/// of threads.
struct KeptLogs {
    private struct Log: Hashable {
        var before: Int
        var value: Int
    }

    /// The logs by number; 0 is the empty log.
    private var logs = [Log(before: 0, value: 0)]
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

    /// The number of a log's contents.
    ///
    /// - Parameter number: the number of the contents before something was appended.
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
