/// The choices that determine an execution: which thread took each step, and which alternative it took where a step has
/// several. A scenario that runs again under the same schedule repeats the execution.
///
/// Printed, it is a list of threads by number, in order, with a count where one took several steps in a row:
/// `0x4,1,2x3` is four steps of the main thread, one of thread 1, three of thread 2. `=2` after a step, as in `1=2`, is
/// the alternative that the step took. Where time could pass although threads could step, `=0` means that it passed,
/// `=1` that it did not.
///
/// An execution may be longer than its schedule: the thread that took the last step continues while it can, then the
/// enabled thread with the lowest number steps.
package struct Schedule: Equatable, Sendable {
    /// A choice, as one word: a thread, or, with the highest bit set, an alternative.
    package struct Choice: Equatable, Sendable, BitwiseCopyable {
        package let word: UInt32

        /// - Parameter word: that of another choice.
        package init(word: UInt32) { self.word = word }

        /// - Parameter word: read from a file. Nil: the word is not a valid choice.
        package init?(checked word: UInt32) {
            self.word = word
            guard index <= (isAlternative ? Self.mostAlternatives : Int(UInt16.max)) else { return nil }
        }

        /// The greatest number of an alternative.
        static let mostAlternatives = (1 << 30) - 1

        package static func thread(_ index: UInt16) -> Choice { Choice(word: UInt32(index)) }
        package static func alternative(_ index: Int) -> Choice { Choice(word: UInt32(index) | alternativeBit) }

        package var isAlternative: Bool { word & Self.alternativeBit != 0 }
        /// The number of the thread or of the alternative.
        package var index: Int { Int(word & ~Self.alternativeBit) }

        @inline(__always) private static var alternativeBit: UInt32 { 1 << 31 }
    }

    package var choices: [Choice]

    package init(_ choices: [Choice] = []) { self.choices = choices }

    package var stepCount: Int { choices.count { !$0.isAlternative } }

    /// The beginning of the schedule, with at most `steps` steps.
    package func prefix(steps: Int) -> Schedule {
        var left = steps
        let beginning = choices.prefix { choice in
            if !choice.isAlternative { left -= 1 }
            return left >= 0
        }
        return Schedule(Array(beginning))
    }
}
