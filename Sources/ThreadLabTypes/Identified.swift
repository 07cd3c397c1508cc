import Primitives

extension Lab {
    /// What Foundation's classes have from `NSObject`: an object equals itself alone.
    public protocol Identified: AnyObject, Hashable {}
}

extension Lab.Identified {
    public static func == (a: Self, b: Self) -> Bool { a === b }
    public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
