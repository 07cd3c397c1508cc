import Primitives

extension Lab {
    /// The common base of sources of user data: numbers that threads pass to a handler on a queue. Data that arrives
    /// before the handler is called is combined.
    public class UserDataSource: DispatchSource, @unchecked Sendable {}

    /// Dispatch's `DispatchSourceProtocol`: any source.
    public protocol DispatchSourceProtocol: DispatchSource {}

    /// Dispatch's `DispatchSourceUserDataAdd`: combines data by adding.
    public protocol DispatchSourceUserDataAdd: DispatchSourceProtocol, UserDataSource {}

    /// Dispatch's `DispatchSourceUserDataOr`: combines data by `|`.
    public protocol DispatchSourceUserDataOr: DispatchSourceProtocol, UserDataSource {}

    /// Dispatch's `DispatchSourceUserDataReplace`: keeps the last data.
    public protocol DispatchSourceUserDataReplace: DispatchSourceProtocol, UserDataSource {}

    private final class AnyUserDataSource: UserDataSource, DispatchSourceUserDataAdd, DispatchSourceUserDataOr,
        DispatchSourceUserDataReplace, @unchecked Sendable
    {}
}

extension Lab.DispatchSourceUserDataAdd {
    /// Adds to the data of the handler's next call. 0 has no effect, and does not cause a call.
    public func add(data: UInt) { if data != 0 { notePending { $0 &+= data } } }
}

extension Lab.DispatchSourceUserDataOr {
    /// Sets bits in the data of the handler's next call. 0 has no effect, and does not cause a call.
    public func or(data: UInt) { if data != 0 { notePending { $0 |= data } } }
}

extension Lab.DispatchSourceUserDataReplace {
    /// Replaces the data of the handler's next call. 0 withdraws it, and does not cause a call.
    public func replace(data: UInt) { notePending { $0 = data } }
}

extension Lab.DispatchSource {
    /// A source whose handler gets the sum of the data since its last call.
    ///
    /// - Parameter queue: runs the handlers. Nil: the global queue.
    public static func makeUserDataAddSource(
        queue: Lab.DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Lab.DispatchSourceUserDataAdd {
        Lab.AnyUserDataSource("source", queue, file, line)
    }

    /// A source whose handler gets the union of the bits since its last call.
    ///
    /// - Parameter queue: runs the handlers. Nil: the global queue.
    public static func makeUserDataOrSource(
        queue: Lab.DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Lab.DispatchSourceUserDataOr {
        Lab.AnyUserDataSource("source", queue, file, line)
    }

    /// A source whose handler gets the latest data, if there is any since its last call.
    ///
    /// - Parameter queue: runs the handlers. Nil: the global queue.
    public static func makeUserDataReplaceSource(
        queue: Lab.DispatchQueue? = nil, file: StaticString = #fileID, line: UInt = #line
    ) -> any Lab.DispatchSourceUserDataReplace {
        Lab.AnyUserDataSource("source", queue, file, line)
    }
}
