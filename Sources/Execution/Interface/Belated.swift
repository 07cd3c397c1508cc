import CLab
import Machine

/// Handles a `deinit` that runs too late: while an execution is torn down, after it, or in another one. A `deinit`
/// cannot receive an error and cannot be left early, so what it calls must return.
package enum Belated {
    /// Whether the calling thread is inside a `deinit`.
    package static var isDeinit: Bool {
        _ = hasLearned
        return clab_is_in_deinit() != 0
    }

    /// Whether the call that threw this error came too late, from a `deinit`. The call then returns without effect.
    ///
    /// A call that the end of the run interrupted did not come too late. The code around it is not unwinding, and must
    /// not continue.
    package static func excuses(_ error: any Error) -> Bool {
        if let end = error as? RunEnded, end.isInterruption { return false }
        let isLate = error is ForeignObject || !ThreadContext.isInRun || ThreadContext.runtime.with { $0.hasEnded }
        return isLate && isDeinit
    }

    /// Shows the C side an object that is released, so that it recognizes the functions of Swift's runtime that call a
    /// `deinit`.
    private static let hasLearned: Bool = {
        clab_learn_deinit(Unmanaged.passRetained(Probe()).toOpaque())
        // Another function of Swift's runtime releases an object that has weak references.
        let second = Unmanaged.passRetained(Probe())
        let reference = WeakReference(second.takeUnretainedValue())
        clab_learn_deinit(second.toOpaque())
        return reference.object == nil
    }()

    private final class Probe {
        deinit { clab_note_deinit() }
    }

    private final class WeakReference {
        weak var object: Probe?

        init(_ object: Probe) { self.object = object }
    }
}

extension Operation {
    /// The result of an operation that a `deinit` takes too late (`Row.Belated`).
    ///
    /// - Parameter word: the object's value, which the operation may change.
    /// - Throws: `RunEnded`, if the operation cannot be taken any more, or would wait without a limit.
    func belatedResult(_ word: inout Int) throws -> Int {
        switch kind.belated {
        case .returns(let value): return value
        case .works:
            let old = word
            word = self.word(after: old) ?? old
            return old
        case .endsByLimit:
            if deadline == Operation.never { throw RunEnded.error }
            return 0
        case .impossible: throw RunEnded.error
        }
    }
}
