/// Where variables are, as the compiler says it: by operations, which may depend on where in the code the thread is.
struct DwarfLocations: Sendable {
    private let sections: DwarfSections
    private let values: DwarfValues
    /// More pieces of code are not looked at.
    private static let most = 1 << 10

    init(_ sections: DwarfSections) {
        self.sections = sections
        values = DwarfValues(sections)
    }

    /// The operations, and for which code they hold. Nil: for all.
    struct Location {
        let code: Range<UInt64>?
        let expression: DwarfReader

        func covers(_ place: UInt64) -> Bool { code?.contains(place) ?? true }
    }

    func locations(_ value: DwarfValue, _ unit: DwarfUnit) -> [Location] {
        switch value {
        case .block: return value.expression.map { [Location(code: nil, expression: $0)] } ?? []
        case .locationIndex(let index):
            guard index < 1 << 32 else { return [] }
            var table = DwarfReader(
                sections.locationLists, at: unit.locationBase &+ Int(index) &* unit.offsetSize)
            return table.offset(unit).map { newList(unit.locationBase &+ $0, unit) } ?? []
        case .number(let offset):
            guard let place = Int(exactly: offset) else { return [] }
            return unit.version == 5 ? newList(place, unit) : oldList(place, unit)
        case .address, .text, .entry, .rangeIndex, .other: return []
        }
    }

    /// The address of a global variable, if the operations say no more than that.
    func address(_ expression: inout DwarfReader, _ unit: DwarfUnit) -> UInt64? {
        let address: UInt64? =
            switch expression.integer(1) {
            case 0x03: expression.integer(8)
            case 0xA1, 0xFB: indexed(&expression, unit)
            default: nil
            }
        return expression.rest == 0 ? address : nil
    }

    private func oldList(_ place: Int, _ unit: DwarfUnit) -> [Location] {
        var reader = DwarfReader(sections.locations, at: place)
        var base = unit.lowest
        var found: [Location] = []
        while found.count < Self.most, let start = reader.integer(8), let end = reader.integer(8),
            start != 0 || end != 0
        {
            if start == .max {
                base = end
                continue
            }
            let length = reader.integer(2)
            guard add(base &+ start, base &+ end, length, &reader, to: &found) else { break }
        }
        return found
    }

    private func newList(_ place: Int, _ unit: DwarfUnit) -> [Location] {
        var reader = DwarfReader(sections.locationLists, at: place)
        var base = unit.lowest
        var found: [Location] = []
        while found.count < Self.most, let kind = reader.integer(1), kind != 0 {
            if kind == 1 || kind == 6 {
                guard let address = kind == 1 ? indexed(&reader, unit) : reader.integer(8) else { break }
                base = address
                continue
            }
            guard let (start, end) = code(kind, base, &reader, unit) else { break }
            let length = reader.unsigned()
            guard add(start, end, length, &reader, to: &found) else { break }
        }
        return found
    }

    /// Of an entry of this kind.
    private func code(
        _ kind: UInt64, _ base: UInt64, _ reader: inout DwarfReader, _ unit: DwarfUnit
    ) -> (UInt64, UInt64)? {
        let first: UInt64? =
            switch kind {
            case 2, 3: indexed(&reader, unit)
            case 4: reader.unsigned().map { base &+ $0 }
            case 5: 0
            case 7, 8: reader.integer(8)
            default: nil
            }
        guard let first else { return nil }
        let second: UInt64? =
            switch kind {
            case 2: indexed(&reader, unit)
            case 4: reader.unsigned().map { base &+ $0 }
            case 5: .max
            case 7: reader.integer(8)
            default: reader.unsigned().map { first &+ $0 }
            }
        return second.map { (first, $0) }
    }

    private func indexed(_ reader: inout DwarfReader, _ unit: DwarfUnit) -> UInt64? {
        reader.unsigned().flatMap { Int(exactly: $0) }.flatMap { values.address($0, unit) }
    }

    private func add(
        _ start: UInt64, _ end: UInt64, _ length: UInt64?, _ reader: inout DwarfReader, to found: inout [Location]
    ) -> Bool {
        guard let length = length.flatMap({ Int(exactly: $0) }), let expression = reader.block(length) else {
            return false
        }
        if start < end { found.append(Location(code: start..<end, expression: expression)) }
        return true
    }
}

/// A call in progress of a thread that is suspended.
package struct DwarfFrame {
    /// The code that it is at, as its file has it.
    package let code: UInt64
    /// What two of the registers are in it, and where its part of the stack ends.
    let stack: UInt64
    let base: UInt64
    let end: UInt64
    /// What is on the stack.
    let word: (UInt64) -> UInt64

    package init(
        code: UInt64, stack: UInt64, base: UInt64, end: UInt64, word: @escaping (UInt64) -> UInt64
    ) {
        self.code = code
        self.stack = stack
        self.base = base
        self.end = end
        self.word = word
    }

    /// The address of a variable. Nil: it is not in memory, or where it is is not known.
    ///
    /// Of one in pieces, some of which have a known value or are in a register, it is that of the memory that all would be in.
    ///
    /// - Parameter start: what addresses of the function's variables are relative to.
    func address(_ expression: DwarfReader, from start: UInt64?) -> UInt64? {
        var reader = expression
        var address: UInt64?
        var distance: UInt64 = 0
        for _ in 0..<64 where reader.rest > 0 {
            guard let operation = reader.integer(1) else { return nil }
            switch operation {
            case 0x70...0x8F, 0x91:
                let register = operation == 0x91 ? start : register(operation - 0x70)
                guard let register, let distance = reader.signed() else { return nil }
                address = register &+ UInt64(bitPattern: Int64(distance))
            case 0x23:
                guard let known = address, let distance = reader.unsigned() else { return nil }
                address = known &+ distance
            case 0x06:
                guard let target = address.flatMap({ pointer(at: $0) }) else { return nil }
                address = target
            case 0x93:
                guard let size = reader.unsigned() else { return nil }
                if let known = address { return known &- distance }
                distance &+= size
            // A value, or a register.
            case 0x30...0x6F, 0x9F: address = nil
            default: return nil
            }
        }
        return reader.rest > 0 ? nil : address
    }

    /// What addresses of the function's variables are relative to, as it says.
    func start(_ expression: DwarfReader) -> UInt64? {
        var reader = expression
        guard let operation = reader.integer(1) else { return nil }
        if operation == 0x9C { return end }
        if (0x50...0x6F).contains(operation) { return register(operation - 0x50) }
        return address(expression, from: nil)
    }

    /// What is in this part of the stack; nothing else is read, because an address may be wrong.
    func pointer(at address: UInt64) -> UInt64? {
        address >= stack && address < end && end - address >= 8 ? word(address) : nil
    }

    private func register(_ number: UInt64) -> UInt64? { number == 6 ? base : number == 7 ? stack : nil }
}
