import Trace

/// The rule's answer for an operation in some state: whether it can be taken, and what it does then.
package struct Ruling: Sendable {
    /// What the step does or, if it is blocked, what it will do once it can be taken.
    package var act: Act
    package var isBlocked: Bool
    /// What the operation returns; for a misuse, its kind.
    package var value: Int
    /// What the object holds afterwards, if the act stores a value; for a mutex, its count.
    package var word: Int

    @inline(always) init(_ act: Act, _ value: Int, word: Int = 0, isBlocked: Bool = false) {
        self.act = act
        self.isBlocked = isBlocked
        self.value = value
        self.word = word
    }

    @inline(always) static func done(_ act: Act, _ value: Int = 0, word: Int = 0) -> Self {
        Self(act, value, word: word)
    }

    /// The operation cannot be taken now. Once it can, it does this act.
    @inline(always) static func blocked(_ act: Act) -> Self { Self(act, 0, isBlocked: true) }

    @inline(always) static func misuse(_ kind: MisuseKind) -> Self {
        Self(.misuse, Int(kind.rawValue))
    }
}
