import Histories
import LabProgram
import LabSyntax

/// A call of a function of a program: its number, and its arguments.
struct FunctionCall: Hashable {
    var function: Int
    var arguments: [Int]
}

/// What a call returns, or should return according to the specification.
enum FunctionAnswer: Equatable {
    /// The result; 0 if the function returns nothing.
    case value(Int)
    /// The reason why the specification has no answer.
    case failed(String)
}

/// The logs in which a run records the calls of specified functions, so that they can be tested for linearizability.
///
/// Each thread that makes such calls has a log, which is a list among the shared words and thus part of every state. It
/// also has an atomic with the number of its calls that have returned. A call begins with loads of the other threads'
/// atomics, and ends with an addition to its own. So the real-time order of calls is part of what an execution
/// observes, and a search that takes only some orders of independent steps preserves it. Two beginnings of calls
/// commute, and so do two returns.
struct CallLogs {
    /// The log of a thread.
    struct Log {
        /// The thread's number among those of the run, where the main thread is the last.
        var thread: Int
        /// The thread's name.
        var name: String
        /// The position of the log's first shared word, which is the number of its values. The values follow.
        var start: Int
        /// The object number of its atomic.
        var object: Int
    }

    typealias Calls = History<FunctionCall, FunctionAnswer>

    /// The number of words of a log.
    static let stride = Bytecode.listCapacity + 1

    var logs: [Log] = []
    /// The numbers of the declared threads that have logs.
    var threads: Set<Int> = []
    /// By the number of a function, the number of its parameters. Nil: its calls are not recorded.
    var parameters: [Int?] = []

    /// The calls in all logs.
    ///
    /// - Parameter shared: the run's shared words.
    func history(_ shared: UnsafePointer<Int>) -> Calls {
        Calls(logs.map { calls(shared + $0.start) })
    }

    /// The calls in a log. A call is recorded as its function, its arguments, for each thread the number of calls that
    /// had returned before it began (0 for its own thread) and, if it has returned, its answer.
    private func calls(_ log: UnsafePointer<Int>) -> [Calls.Call] {
        var calls: [Calls.Call] = []
        let values = UnsafeBufferPointer(start: log + 1, count: log.pointee)
        var next = 0
        while next < values.count {
            let function = values[next]
            let arguments = parameters[function] ?? 0
            let returned = next + 1 + arguments
            let answer = returned + logs.count
            if answer > values.count { break }
            calls.append(
                Calls.Call(
                    FunctionCall(function: function, arguments: Array(values[next + 1..<returned])),
                    answer: answer < values.count ? .value(values[answer]) : nil,
                    returned: Array(values[returned..<answer])))
            next = answer + 1
        }
        return calls
    }
}

extension CallLogs {
    /// Appends a value to the log of the calling thread.
    ///
    /// - Returns: whether there was room.
    static func append(_ value: Int, to log: UnsafeMutablePointer<Int>) -> Bool {
        guard log.pointee < Bytecode.listCapacity else { return false }
        log[1 + log.pointee] = value
        log.pointee += 1
        return true
    }
}
