import Machine

/// How an instruction forms an operation of the machine from values on the stack.
struct OperationForm {
    /// What is on the stack for the operation's arguments.
    enum Arguments: UInt8 {
        case none
        /// The first argument.
        case value
        /// Both arguments.
        case twoValues
        /// A time limit as a duration, from which the second argument, a deadline, is computed.
        case timeout
        /// A duration to sleep.
        case sleep
    }

    let kind: Operation.Kind
    let orders: Operation.Orders
    let arguments: Arguments
    /// The objects that the operation can be on, if the object's number is on the stack, below the arguments.
    let elements: ObjectRange
    /// Whether the result is pushed.
    let hasResult: Bool
    /// Whether it is a read in an `await`.
    let isWatching: Bool
    /// If it is the only read of an `await`: how the value is compared with the first argument.
    let awaited: Operation.Comparison?
    /// The first argument, if it is not on the stack, such as a condition's mutex. For a wait whose mutex depends on
    /// the stack, the first element's mutex.
    let fixed: Int

    /// Whether it takes at most one value from the stack and needs no special treatment, like most forms.
    let isPlain: Bool

    init(
        kind: Operation.Kind, arguments: Arguments = .none, elements: ObjectRange = .none, hasResult: Bool = false,
        isWatching: Bool = false, awaited: Operation.Comparison? = nil, fixed: Int = 0,
        orders: Operation.Orders = Operation.Orders()
    ) {
        self.kind = kind
        self.orders = orders
        self.arguments = arguments
        self.elements = elements
        self.hasResult = hasResult
        self.isWatching = isWatching
        self.awaited = awaited
        self.fixed = fixed
        let hasFewArguments = arguments == .none && kind != .wait || arguments == .value
        isPlain = hasFewArguments && elements.isEmpty && !isWatching
    }

    /// Whether the object's number is on the stack.
    var hasObjectOnStack: Bool { !elements.isEmpty }

    /// Forms an operation that is not plain: sets its arguments, and its object if that is on the stack.
    ///
    /// - Parameter stop: receives whether the second argument is a duration.
    /// - Returns: the end of the stack without the values that the operation takes.
    @inline(never) func take(
        _ thread: UnsafeMutablePointer<Int>, _ top: UnsafeMutablePointer<Int>,
        _ operation: UnsafeMutablePointer<Operation>, _ stop: UnsafeMutablePointer<Stop>
    ) -> UnsafeMutablePointer<Int> {
        var top = top
        var (first, second) = (fixed, 0)
        switch arguments {
        case .none:
            // A wait without a deadline.
            if kind == .wait { second = Operation.never }
        case .value:
            top -= 1
            first = top.pointee
        case .twoValues:
            top -= 2
            first = top[0]
            second = top[1]
        case .timeout, .sleep:
            top -= 1
            second = max(0, top.pointee)
            if arguments == .sleep { first = second }
            stop.pointee.isTimed = true
        }
        if hasObjectOnStack {
            top -= 1
            operation.pointee.object = UInt32(truncatingIfNeeded: top.pointee)
        }
        if isWatching {
            second = thread[ThreadWords.watch] | (awaited.map(Operation.Watch.until) ?? 0)
            thread[ThreadWords.watch] = Operation.Watch.further
        }
        operation.pointee.a = first
        operation.pointee.b = second
        thread[ThreadWords.argument] = first
        return top
    }
}

/// Objects with consecutive numbers: the elements of an array.
struct ObjectRange: BitwiseCopyable {
    let first: Int
    let count: Int

    /// - Parameter first: the number of the first element.
    init(from first: Int, count: Int) {
        self.first = first
        self.count = count
    }

    static let none = ObjectRange(from: 0, count: 0)

    var isEmpty: Bool { count == 0 }
    var numbers: Range<Int> { first..<first + count }
}
