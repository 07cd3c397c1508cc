import Primitives

extension Lab {
    /// What sources of user data have in common.
    public class UserDataSource: DispatchSource, @unchecked Sendable {}

    /// Dispatch's `DispatchSourceProtocol`.
    public protocol DispatchSourceProtocol: DispatchSource {}

    /// Dispatch's `DispatchSourceUserDataAdd`.
    public protocol DispatchSourceUserDataAdd: DispatchSourceProtocol, UserDataSource {}

    /// Dispatch's `DispatchSourceUserDataOr`.
    public protocol DispatchSourceUserDataOr: DispatchSourceProtocol, UserDataSource {}

    /// Dispatch's `DispatchSourceUserDataReplace`.
    public protocol DispatchSourceUserDataReplace: DispatchSourceProtocol, UserDataSource {}

    private final class AnyUserDataSource: UserDataSource, DispatchSourceUserDataAdd, DispatchSourceUserDataOr,
        DispatchSourceUserDataReplace, @unchecked Sendable
    {}
}

extension Lab.DispatchSourceUserDataAdd {
    /// Adds to what the handler gets. 0 adds nothing, and does not have it called.
    public func add(data: UInt) { if data != 0 { notePending { $0 &+= data } } }
}

extension Lab.DispatchSourceUserDataOr {
    /// Sets bits of what the handler gets. 0 sets none, and does not have it called.
    public func or(data: UInt) { if data != 0 { notePending { $0 |= data } } }
}

extension Lab.DispatchSourceUserDataReplace {
    /// Replaces what the handler gets. It is not called for 0.
    public func replace(data: UInt) { notePending { $0 = data } }
}

extension Lab.DispatchSource {
    /// The handler gets the sum of what was added since its last call.
    ///
    /// - Parameter queue: runs the handlers. Nil: the global queue.
    public static func makeUserDataAddSource(
        queue: Lab.DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Lab.DispatchSourceUserDataAdd {
        Lab.AnyUserDataSource("source", queue, file, line)
    }

    /// The handler gets the union of what was given since its last call.
    ///
    /// - Parameter queue: runs the handlers. Nil: the global queue.
    public static func makeUserDataOrSource(
        queue: Lab.DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Lab.DispatchSourceUserDataOr {
        Lab.AnyUserDataSource("source", queue, file, line)
    }

    /// The handler gets the last of what was given since its last call.
    ///
    /// - Parameter queue: runs the handlers. Nil: the global queue.
    public static func makeUserDataReplaceSource(
        queue: Lab.DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Lab.DispatchSourceUserDataReplace {
        Lab.AnyUserDataSource("source", queue, file, line)
    }
}
