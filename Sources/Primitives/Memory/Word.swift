/// A value that fits in a machine word, so that the machine can hold it and traces can show it.
public protocol Word: Equatable, Sendable {
    init(word: Int)
    var word: Int { get }
}

extension Int: Word {
    public init(word: Int) { self = word }
    public var word: Int { self }
}

extension Bool: Word {
    public init(word: Int) { self = word != 0 }
    public var word: Int { self ? 1 : 0 }
}
