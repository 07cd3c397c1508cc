/// The functions that the code at an address is of, also those that the compiler has put in the place of their calls.
///
/// The table may be damaged: what cannot be read ends the reading, and what was read before counts.
struct FunctionTable: Sendable {
    /// A function, and the place in it where the address, or the function before it, is.
    struct Frame: Equatable {
        /// As linkers know it, or as the source has it. Nil: it is not known.
        let name: String?
        /// Where the compiler has put it in place of a call: the number of the file, and the line, in its caller.
        let file: Int
        let line: Int
    }

    private struct Function: Sendable {
        let ranges: [Range<UInt64>]
        let depth: Int
        /// The entry that names it.
        let entry: Int
        let file: Int
        let line: Int
    }

    private struct Content: Sendable {
        var functions: [Function] = []
        var names: [Int: Name] = [:]
    }

    private struct Name: Sendable {
        var own: String?
        /// The entry that says more.
        var origin: Int?
    }

    private let sections: DwarfSections
    private let values: DwarfValues
    private let ranges: DwarfRanges
    private var units: [DwarfUnit] = []
    private var codeOfUnits: [[Range<UInt64>]] = []
    private var contents: [Int: Content] = [:]
    private var abbreviations: [Int: [UInt64: DwarfAbbreviation]] = [:]

    /// More entries of a unit are not read.
    private static let mostEntries = 1 << 22

    init(_ sections: DwarfSections) {
        self.sections = sections
        values = DwarfValues(sections)
        ranges = DwarfRanges(sections)
        var reader = DwarfReader(sections.info)
        while reader.rest > 0, var unit = DwarfUnit(&reader) {
            codeOfUnits.append(readFirstEntry(&unit))
            units.append(unit)
            reader.place = unit.end
        }
    }

    /// The functions, the innermost first, and the place of the table of lines that their numbers of files belong to. Empty: none is known.
    mutating func frames(at address: UInt64) -> (frames: [Frame], lines: Int?) {
        for (number, unit) in units.enumerated() where codeOfUnits[number].contains(where: { $0.contains(address) }) {
            let content = content(number)
            let found = content.functions.filter { $0.ranges.contains { $0.contains(address) } }
            if found.isEmpty { continue }
            var frames: [Frame] = []
            for function in found.sorted(by: { $0.depth > $1.depth }) {
                frames.append(Frame(name: name(function.entry), file: function.file, line: function.line))
            }
            return (frames, unit.lines)
        }
        return ([], nil)
    }

    // MARK: - Names

    private mutating func name(_ entry: Int) -> String? {
        var place = entry
        for _ in 0..<8 {
            guard let number = units.firstIndex(where: { $0.start <= place && place < $0.end }),
                let name = content(number).names[place]
            else { return nil }
            if let own = name.own { return own }
            guard let origin = name.origin else { return nil }
            place = origin
        }
        return nil
    }

    // MARK: - Reading

    private mutating func content(_ number: Int) -> Content {
        if let known = contents[number] { return known }
        let made = read(units[number])
        contents[number] = made
        return made
    }

    private mutating func read(_ unit: DwarfUnit) -> Content {
        var content = Content()
        var reader = DwarfReader(sections.info, at: unit.entries)
        let shapes = abbreviations(of: unit)
        var depth = 0
        var count = 0
        while reader.place < unit.end, count < Self.mostEntries {
            count += 1
            let place = reader.place
            guard let code = reader.unsigned() else { break }
            if code == 0 {
                depth -= 1
                continue
            }
            guard let shape = shapes[code], let entry = attributes(shape, &reader, unit) else { break }
            if shape.isFunction { add(entry, place, depth, isInlined: shape.isInlined, unit, to: &content) }
            if shape.hasChildren { depth += 1 }
        }
        return content
    }

    private func add(
        _ entry: [UInt64: DwarfValue], _ place: Int, _ depth: Int, isInlined: Bool, _ unit: DwarfUnit,
        to content: inout Content
    ) {
        var origin: Int?
        if case .entry(let place)? = entry[Attribute.abstractOrigin] ?? entry[Attribute.specification] {
            origin = place
        }
        let linked = entry[Attribute.linkageName] ?? entry[Attribute.oldLinkageName]
        var own = linked?.text ?? (origin == nil ? entry[Attribute.name]?.text : nil)
        // Of gcc, which gives those of lambdas no other name.
        if own == "operator()" { own = "lambda" }
        content.names[place] = Name(own: own, origin: origin)
        let code = ranges(entry, unit)
        if code.isEmpty { return }
        func number(_ attribute: UInt64) -> Int { entry[attribute]?.number.flatMap { Int(exactly: $0) } ?? 0 }
        content.functions.append(
            Function(
                ranges: code, depth: depth, entry: place, file: isInlined ? number(Attribute.callFile) : 0,
                line: isInlined ? number(Attribute.callLine) : 0))
    }

    private func ranges(_ entry: [UInt64: DwarfValue], _ unit: DwarfUnit) -> [Range<UInt64>] {
        ranges.ranges(
            low: entry[Attribute.lowest], high: entry[Attribute.highest], list: entry[Attribute.ranges], unit)
    }

    private func attributes(
        _ shape: DwarfAbbreviation, _ reader: inout DwarfReader, _ unit: DwarfUnit
    ) -> [UInt64: DwarfValue]? {
        var found: [UInt64: DwarfValue] = [:]
        let isWanted = shape.isFunction || shape.isUnit
        for (attribute, form, constant) in shape.attributes {
            guard let value = values.read(form, constant, &reader, unit) else { return nil }
            if isWanted { found[attribute] = value }
        }
        return found
    }

    /// What the unit says of itself: its code.
    private mutating func readFirstEntry(_ unit: inout DwarfUnit) -> [Range<UInt64>] {
        // The bases of tables may come after what needs them.
        for attempt in 0..<2 {
            var reader = DwarfReader(sections.info, at: unit.entries)
            guard let code = reader.unsigned(), let shape = abbreviations(of: unit)[code], shape.isUnit,
                let entry = attributes(shape, &reader, unit)
            else { return [] }
            func number(_ attribute: UInt64) -> Int? { entry[attribute]?.number.flatMap { Int(exactly: $0) } }
            unit.stringBase = number(Attribute.stringBase) ?? unit.stringBase
            unit.addressBase = number(Attribute.addressBase) ?? unit.addressBase
            unit.rangeBase = number(Attribute.rangeBase) ?? unit.rangeBase
            unit.lines = number(Attribute.lines)
            unit.lowest = entry[Attribute.lowest]?.number ?? 0
            if attempt == 1 { return ranges(entry, unit) }
        }
        return []
    }

    private mutating func abbreviations(of unit: DwarfUnit) -> [UInt64: DwarfAbbreviation] {
        if let known = abbreviations[unit.abbreviations] { return known }
        var reader = DwarfReader(sections.abbreviations, at: unit.abbreviations)
        let made = reader.abbreviations()
        abbreviations[unit.abbreviations] = made
        return made
    }

    private enum Attribute {
        static let name: UInt64 = 0x03
        static let lines: UInt64 = 0x10
        static let lowest: UInt64 = 0x11
        static let highest: UInt64 = 0x12
        static let abstractOrigin: UInt64 = 0x31
        static let specification: UInt64 = 0x47
        static let ranges: UInt64 = 0x55
        static let callFile: UInt64 = 0x58
        static let callLine: UInt64 = 0x59
        static let linkageName: UInt64 = 0x6E
        static let stringBase: UInt64 = 0x72
        static let addressBase: UInt64 = 0x73
        static let rangeBase: UInt64 = 0x74
        static let oldLinkageName: UInt64 = 0x2007
    }
}

/// The form of an entry: what it is, and what it says of itself.
struct DwarfAbbreviation: Sendable {
    let tag: UInt64
    let hasChildren: Bool
    var attributes: [(attribute: UInt64, form: UInt64, constant: Int)] = []

    var isUnit: Bool { tag == 0x11 || tag == 0x3C || tag == 0x4A }
    var isInlined: Bool { tag == 0x1D }
    var isFunction: Bool { tag == 0x2E || isInlined }
}

extension DwarfReader {
    /// By number, up to the end of the table or what cannot be read.
    mutating func abbreviations() -> [UInt64: DwarfAbbreviation] {
        var found: [UInt64: DwarfAbbreviation] = [:]
        while let code = unsigned(), code != 0, let tag = unsigned(), let children = integer(1) {
            var made = DwarfAbbreviation(tag: tag, hasChildren: children != 0)
            while true {
                guard let attribute = unsigned(), let form = unsigned() else { return found }
                var constant = 0
                if form == 0x21 {
                    guard let number = signed() else { return found }
                    constant = number
                }
                if attribute == 0 && form == 0 { break }
                made.attributes.append((attribute, form, constant))
            }
            found[code] = made
        }
        return found
    }
}
