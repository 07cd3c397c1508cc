import Primitives

// Sources of events from outside the program, which the scheduler cannot cause. They exist only for the compiler's
// message. A program that needs one outside of the lab can use the system's, `Dispatch.DispatchSource`.

extension Lab.DispatchSource {
    @available(
        *, unavailable,
        message: """
            the scheduler does not decide when a file can be read: hand the data over by 'makeUserDataAddSource' or a \
            queue, or keep 'Dispatch.DispatchSource' out of the closure
            """
    )
    public static func makeReadSource(
        fileDescriptor: Int32, queue: Lab.DispatchQueue? = nil
    ) -> any Lab.DispatchSourceProtocol {
        preconditionFailure("the compiler refuses calls")
    }

    @available(
        *, unavailable,
        message: """
            the scheduler does not decide when a file can be written: say that there is room by 'makeUserDataAddSource' \
            or a queue, or keep 'Dispatch.DispatchSource' out of the closure
            """
    )
    public static func makeWriteSource(
        fileDescriptor: Int32, queue: Lab.DispatchQueue? = nil
    ) -> any Lab.DispatchSourceProtocol {
        preconditionFailure("the compiler refuses calls")
    }

    @available(
        *, unavailable,
        message: """
            the scheduler does not decide when a signal comes from outside: let the test cause the event by \
            'makeUserDataAddSource' and 'add(data: 1)', or keep 'Dispatch.DispatchSource' out of the closure
            """
    )
    public static func makeSignalSource(
        signal: Int32, queue: Lab.DispatchQueue? = nil
    ) -> any Lab.DispatchSourceProtocol {
        preconditionFailure("the compiler refuses calls")
    }
}
