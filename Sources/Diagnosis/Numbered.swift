import Trace

/// What is numbered from 0, without gaps to speak of.
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
