/// The effort that a method of shrinking may spend.
package struct ShrinkingPatience: ExpressibleByIntegerLiteral {
    /// The number of steps left.
    var steps: Int
    /// The share of the time that may be used.
    private var share = 1.0
    private let isOver: (Double) -> Bool

    /// - Parameters:
    ///   - steps: the maximum number of steps in total.
    ///   - isOver: whether this share of the time for shrinking is over; asked before each execution.
    package init(steps: Int, isShareOver isOver: @escaping (Double) -> Bool) {
        self.steps = steps
        self.isOver = isOver
    }

    /// - Parameters:
    ///   - steps: the maximum number of steps in total.
    ///   - isOver: whether the time for shrinking is over; asked before each execution.
    package init(steps: Int, isOver: @escaping () -> Bool = { false }) {
        self.init(steps: steps, isShareOver: { _ in isOver() })
    }

    package init(integerLiteral steps: Int) { self.init(steps: steps) }

    var isLeft: Bool { steps > 0 && !isTimeOver }
    var isTimeOver: Bool { isOver(share) }

    /// The same effort, in this share of the time.
    func upTo(_ share: Double) -> ShrinkingPatience {
        var copy = self
        copy.share = share
        return copy
    }
}
