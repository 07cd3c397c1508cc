import LabProgram
import LabSyntax

/// A value that distinguishes outcomes.
package struct ObservedValue: Equatable, Sendable {
    /// The name as in traces, such as `x` or `cells[2]`.
    package let name: String
    package let isBoolean: Bool
    /// Its number in the numbering of `Configuration.firstElements`, where elements of arrays have numbers of their
    /// own.
    let element: Int
}

extension Program {
    /// The values that the program's claims name, or all of its values if they name none, in the order of the
    /// declarations.
    func observedValues(_ configuration: Configuration) -> [ObservedValue] {
        let named = Set(claims.flatMap(\.places).flatMap { elements(of: $0, configuration) })
        let first = configuration.firstElements
        return objects.enumerated().flatMap { number, object -> [ObservedValue] in
            guard let type = object.kind.valueType else { return [] }
            return (0..<configuration.elementCounts[number]).compactMap { element in
                guard named.isEmpty || named.contains(first[number] + element) else { return nil }
                return ObservedValue(
                    name: object.count == nil ? object.name : "\(object.name)[\(element)]",
                    isBoolean: type == .boolean, element: first[number] + element)
            }
        }
    }

    /// The number of the element that a place names, or those of all elements of the array if the subscript is not a
    /// constant.
    private func elements(of place: Place, _ configuration: Configuration) -> Range<Int> {
        let first = configuration.firstElements[place.object]
        let count = configuration.elementCounts[place.object]
        guard let index = place.index, index.isConstant,
            let value = try? ConstantEvaluator(arguments: configuration.arguments).value(of: index),
            (0..<count).contains(value)
        else { return first..<first + count }
        return first + value..<first + value + 1
    }
}

extension Program.Claim {
    /// The values that the claim names.
    fileprivate var places: [Program.Place] {
        switch kind {
        case .completes, .findings, .warnings, .linearizable: []
        case .always(let condition), .never(let condition), .sometimes(let condition), .possible(let condition),
            .eventually(let condition), .invariant(let condition):
            condition.readPlaces
        case .outcomes(let places, _): places
        }
    }
}

extension Program.Object.Kind {
    /// The type of its value, if the value is part of outcomes.
    var valueType: ValueType? {
        switch self {
        case .cell(let type), .atomic(let type): type
        case .list, .mutex, .readWriteLock, .semaphore, .condition, .built: nil
        }
    }
}
