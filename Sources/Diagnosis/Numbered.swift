import Trace

/// A type whose values are numbered from 0, with few gaps.
protocol Numbered {
    init(_ number: Int)
    var number: Int { get }
}

extension ThreadID: Numbered {
    var number: Int { Int(index) }
}

extension ObjectID: Numbered {
    var number: Int { Int(index) }
}
