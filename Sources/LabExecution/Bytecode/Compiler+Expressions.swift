import LabProgram
import Machine
import Trace

/// The code of expressions, which leaves an expression's value, if it has one, on the stack.
extension Compiler {
    mutating func expression(_ expression: Program.Expression) {
        let outer = line
        line = expression.site.line
        defer { line = outer }
        switch expression.kind {
        case .constant(let value): push(value)
        case .parameter(let number): push(configuration.arguments[number])
        case .slot(let slot):
            emit(.get, slot)
            pushed()
        case .index:
            emit(.index)
            pushed()
        case .negate(let operand): unary(.negate, operand)
        case .invert(let operand): unary(.invert, operand)
        case .not(let operand): unary(.not, operand)
        case .absolute(let operand): unary(.absolute, operand)
        case .binary(let sign, let left, let right):
            self.expression(left)
            self.expression(right)
            apply(sign)
        case .and(let left, let right): shortcut(.jumpKeepingFalse, left, right)
        case .or(let left, let right): shortcut(.jumpKeepingTrue, left, right)
        case .read(let place): read(place)
        case .equals(let list, let values):
            for value in values { self.expression(value) }
            access(.read, list: firstObject[list])
            emit(.listEquals, listStart[firstObject[list]]!, values.count)
            pushed()
        case .perform(let action, let place, let values): perform(action, place, values, expression.type != nil)
        case .call(let function, let values):
            for value in values { self.expression(value) }
            callRecorded(function)
        case .choose(let count):
            self.expression(count)
            emit(.choices)
            operate(OperationForm(kind: .choose, arguments: .value, hasResult: true))
        }
    }

    /// Calls a function whose arguments are on the stack.
    mutating func call(_ function: Int) {
        calls.append((function, depth))
        emit(.call, function)
        pushed()
    }

    private mutating func unary(_ opcode: Opcode, _ operand: Program.Expression) {
        expression(operand)
        emit(opcode)
    }

    private mutating func shortcut(_ opcode: Opcode, _ left: Program.Expression, _ right: Program.Expression) {
        expression(left)
        let jump = emit(opcode)
        expression(right)
        land(jump)
    }

    // MARK: - Places

    func isList(_ place: Program.Place) -> Bool {
        if case .list = program.objects[place.object].kind { true } else { false }
    }

    /// If the place has a subscript that is not a constant within bounds, pushes the number of the object.
    ///
    /// - Returns: if the number is on the stack, the objects that it can be; otherwise none, and the object's number.
    mutating func object(_ place: Program.Place) -> (elements: ObjectRange, number: Int) {
        let first = firstObject[place.object]
        guard let index = place.index else { return (.none, first) }
        if let element = constantElement(place) { return (.none, element) }
        expression(index)
        emit(.element, first, configuration.elementCounts[place.object])
        return (elements(of: place), 0)
    }

    /// The numbers of the objects of an array.
    func elements(of place: Program.Place) -> ObjectRange {
        ObjectRange(from: firstObject[place.object], count: configuration.elementCounts[place.object])
    }

    /// The object's number, if the subscript is a constant and within bounds. A constant subscript out of bounds fails
    /// when it is evaluated.
    func constantElement(_ place: Program.Place) -> Int? {
        guard let index = place.index, index.isConstant,
            let value = try? ConstantEvaluator(arguments: configuration.arguments).value(of: index),
            (0..<configuration.elementCounts[place.object]).contains(value)
        else { return nil }
        return firstObject[place.object] + value
    }

    /// Emits the step of an access to a list, which is a step on the whole list. The instruction for the access itself
    /// follows it.
    mutating func access(_ kind: Operation.Kind, list: Int) {
        operate(
            OperationForm(
                kind: kind, isWatching: isWatching && kind == .read,
                fixed: kind == .write ? Int(Event.noNumber) : 0),
            on: list)
    }

    private mutating func read(_ place: Program.Place) {
        if isList(place) {
            let list = firstObject[place.object]
            if let index = place.index { expression(index) }
            access(.read, list: list)
            emit(.listGet, listStart[list]!)
            pushed()
            return
        }
        let object = object(place)
        operate(
            OperationForm(
                kind: .read, elements: object.elements, hasResult: true, isWatching: isWatching),
            on: object.number)
    }

    // MARK: - Methods

    mutating func perform(
        _ action: Program.Action, _ place: Program.Place, _ values: [Program.Expression], _ hasResult: Bool
    ) {
        switch action {
        case .append, .removeFirst, .removeLast, .removeAll, .count:
            for value in values { expression(value) }
            changeList(action, firstObject[place.object])
            if !action.onlyLooks { observe(place) }
        case .built(let method): call(method, on: place)
        case .operation(let kind, let isTimed, let orders):
            operate(kind, orders, place, values, Self.arguments(of: kind, isTimed: isTimed), hasResult)
            if !action.onlyLooks { observe(place) }
        }
    }

    private mutating func operate(
        _ kind: Operation.Kind, _ orders: Operation.Orders, _ place: Program.Place, _ values: [Program.Expression],
        _ arguments: OperationForm.Arguments, _ hasResult: Bool
    ) {
        let object = object(place)
        for value in values { expression(value) }
        // `compared` and `added`, which follow such an operation, use its result.
        let form = OperationForm(
            kind: kind, arguments: arguments, elements: object.elements,
            hasResult: hasResult || kind.change == .compareExchange || kind == .add,
            isWatching: kind.isLook && isWatching,
            fixed: kind == .wait ? mutex(of: place.object) : 0, orders: orders)
        operate(form, on: object.number)
        if kind == .wait, let test = tests.last ?? nil { waitTests[code.count - 1] = test }
        if kind.change == .compareExchange { emit(.compared) }
        if kind == .add { emit(.added) }
        if form.hasResult && !hasResult { emit(.pop) }
    }

    private static func arguments(of kind: Operation.Kind, isTimed: Bool) -> OperationForm.Arguments {
        switch kind.change {
        case .none: isTimed ? .timeout : .none
        case .store, .add, .bitAnd, .bitOr, .bitXor: .value
        case .compareExchange: .twoValues
        }
    }

    private mutating func changeList(_ action: Program.Action, _ list: Int) {
        access(action == .count ? .read : .write, list: list)
        let opcode: Opcode =
            switch action {
            case .append: .listAppend
            case .removeFirst: .listRemoveFirst
            case .removeLast: .listRemoveLast
            case .removeAll: .listRemoveAll
            // `operation` and `built` are not actions on lists.
            case .count, .operation, .built: .listCount
            }
        emit(opcode, listStart[list]!)
        pushed()
    }

    /// The number of a condition's mutex.
    private func mutex(of condition: Int) -> Int {
        guard let mutex = program.objects[condition].mutex else { return 0 }
        return firstObject[mutex.object] + configuration.mutexElements[condition]
    }
}
