import CLab
import Machine

/// A `deinit` that runs too late: its object is released while an execution is torn down, after it, or in another one.
/// A `deinit` cannot receive an error, and cannot be left early, so what it calls has to return.
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

    private static let hasLearned: Bool = {
        clab_learn_deinit(Unmanaged.passRetained(Probe()).toOpaque())
        // An object with weak references is released by another function, which is learned too.
        let second = Unmanaged.passRetained(Probe())
        let watch = Watch(second.takeUnretainedValue())
        clab_learn_deinit(second.toOpaque())
        return watch.object == nil
    }()

    private final class Probe {
        deinit { clab_note_deinit() }
    }

    private final class Watch {
        weak var object: Probe?

        init(_ object: Probe) { self.object = object }
    }
}

extension Operation {
    /// The operation's result in a `deinit` that runs too late (`Row.Belated`).
    ///
    /// - Parameter word: the object's value.
    /// - Throws: `RunEnded`, if there is no such result.
    func belatedResult(_ word: inout Int) throws -> Int {
        switch kind.belated {
        case .returns(let value): return value
        case .works:
            let old = word
            word = self.word(after: old) ?? old
            return old
        case .endsByLimit:
            if b == Operation.never { throw RunEnded.error }
            return 0
        case .impossible: throw RunEnded.error
        }
    }
}
