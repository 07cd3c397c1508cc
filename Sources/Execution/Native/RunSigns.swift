import Synchronization

/// What every operation of a native run looks at, in one word, which is in the processor's cache anyway: a question
/// more costs no load more.
struct RunSigns: ~Copyable {
    /// Computed, not stored: every operation reads them, and a stored one is behind a test in an unoptimized build.
    struct Sign: OptionSet {
        let rawValue: UInt8

        /// The run has ended: blocking calls throw, and nothing more is recorded.
        static var ended: Sign { Sign(rawValue: 1) }
        /// Nothing is recorded at all.
        static var unrecorded: Sign { Sign(rawValue: 2) }
        /// A thread has, or had, a hook.
        static var hooks: Sign { Sign(rawValue: 4) }

        static var silent: Sign { Sign(rawValue: 3) }
        /// An operation is not simply performed: the run has ended, or a hook may come before it.
        static var special: Sign { Sign(rawValue: 5) }
    }

    private let word: Atomic<UInt8>

    init(_ signs: Sign) { word = Atomic(signs.rawValue) }

    /// Whether one of them has been set.
    @inline(__always) func have(_ signs: Sign) -> Bool { word.load(ordering: .relaxed) & signs.rawValue != 0 }

    /// - Returns: whether it had been set before.
    @discardableResult
    func set(_ sign: Sign) -> Bool {
        word.bitwiseOr(sign.rawValue, ordering: .sequentiallyConsistent).oldValue & sign.rawValue != 0
    }
}
