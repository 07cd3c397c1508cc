import Machine

/// Where a run could not follow a schedule: what the schedule wanted there, and what there was to choose from.
package struct Divergence {
    package enum Due {
        /// One of these threads must take the next step.
        case thread(of: [Int])
        /// The step that was begun can go so many ways.
        case way(of: Int)
    }

    /// Which of the schedule's choices it was, from 1.
    package let number: Int
    let wanted: Schedule.Choice
    let due: Due

    /// One sentence, without its full stop.
    ///
    /// - Parameter name: a thread's name; nil if there is no such thread.
    package func description(name: (Int) -> String?) -> String {
        func thread(_ index: Int) -> String { "\(index)" + (name(index).map { " (\($0))" } ?? "") }
        let wish = wanted.isAlternative ? "=\(wanted.index)" : "thread \(thread(wanted.index))"
        switch due {
        case .thread(let threads):
            let possible = threads.map(thread).joined(separator: " or ")
            guard !wanted.isAlternative else {
                return "choice \(number) is \(wish), a way for a step to go, where thread \(possible) must step"
            }
            let why = name(wanted.index) == nil ? "there is no such thread" : "it cannot step there"
            return "choice \(number) is \(wish), but \(why): thread \(possible) can"
        case .way(let count):
            return "choice \(number) is \(wish), where the step can go \(count) ways, =0 to =\(count - 1)"
        }
    }
}
