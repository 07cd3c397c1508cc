import CLab

/// Work for a processor, in units of one to two nanoseconds, each of which needs the result of the previous one.
///
/// For scenarios that measure how long work takes. An optimizer may remove a loop whose result is unused, and shorten
/// one whose result it can compute in another way. No unit of this work can be left out unnoticed: its result is
/// compared with one that is computed without doing the work.
///
/// Any thread may use it. Work is not a step: under the scheduler no other thread runs meanwhile, and no time passes.
public struct Work: Sendable {
    /// The number of units that are left out, as by an optimizer. For tests of the comparison.
    package var omitted = 0

    /// The map has a full period, so different numbers of units from the same start have different results.
    private static let map = AffineMap(factor: 6_364_136_223_846_793_005, addend: 1_442_695_040_888_963_407)

    public init() {}

    /// Does this many units of work.
    ///
    /// - Parameters:
    ///   - units: 0 or more.
    ///   - number: the start of the work: the result of previous work, or any number.
    /// - Returns: `result(of:from:)`.
    /// - Throws: the error of `check`, if not all of the work has been done.
    public func perform(
        _ units: Int, from number: Int, file: StaticString = #fileID, line: UInt = #line
    ) throws -> Int {
        let result = repeated(Self.map, units, from: number)
        try check(
            result == Self.result(of: units, from: number),
            "\(units) units of work have the result \(result), which is wrong: some were left out", file: file,
            line: line)
        return result
    }

    /// The result of work without doing it: takes less than a microsecond, for any number of units.
    public static func result(of units: Int, from number: Int) -> Int {
        Int(bitPattern: map.power(units).value(at: UInt(bitPattern: number)))
    }

    /// Counts up to `number`, one at a time.
    ///
    /// - Returns: the final count: `number`, unless steps were left out. The caller checks it.
    public func count(to number: Int) -> Int { repeated(AffineMap(factor: 1, addend: 1), number, from: 0) }

    private func repeated(_ map: AffineMap, _ times: Int, from number: Int) -> Int {
        let turns = max(0, times - omitted)
        let result = clab_repeat(
            UInt64(UInt(bitPattern: number)), UInt64(map.factor), UInt64(map.addend), UInt64(turns))
        return Int(bitPattern: UInt(result))
    }
}

/// The map x ↦ factor · x + addend, modulo 2⁶⁴.
private struct AffineMap {
    var factor: UInt
    var addend: UInt

    func value(at x: UInt) -> UInt { factor &* x &+ addend }

    /// The composition of this map and then the other.
    func then(_ next: AffineMap) -> AffineMap {
        AffineMap(factor: next.factor &* factor, addend: next.value(at: addend))
    }

    /// The map, applied this many times.
    func power(_ times: Int) -> AffineMap {
        var result = AffineMap(factor: 1, addend: 0)
        var square = self
        var rest = times
        while rest > 0 {
            if rest % 2 == 1 { result = result.then(square) }
            square = square.then(square)
            rest /= 2
        }
        return result
    }
}
