import Text
import Trace

/// Charts of what a run has measured. A meter is an object with which a program records counts, bytes or durations. A
/// meter with one reading gets a bar, and one with several a line over time. Bars of the same unit have the same scale,
/// and so have lines.
struct MeterCharts {
    private let meters: [MeterReadings]
    private let options: ReportOptions

    private static let indent = 2
    private static let gap = 2
    private static let mostColumns = 60
    /// The minimum room for bars.
    private static let leastColumns = 5

    init(_ trace: TraceDocument, _ options: ReportOptions) {
        // Under the scheduler, time passes only while threads wait or sleep, so a duration of 0 says nothing.
        let isTimeless = trace.header.runtime == .controlled
        meters = MeterReadings.all(in: trace, Cast(trace, options))
            .filter { !(isTimeless && $0.unit == .nanoseconds && $0.greatest == 0) }
        self.options = options
    }

    func write(to sink: inout ByteSink) {
        guard !meters.isEmpty else { return }
        sink.endLine()
        var line = Line(options)
        line.put(Label("Figures"), at: 0, .bold, to: &sink)
        line.end(to: &sink)
        writeBars(meters.filter { $0.values.count == 1 }, to: &sink)
        let lines = meters.filter { $0.values.count > 1 }
        let greatest = Dictionary(grouping: lines, by: \.unit).mapValues { $0.map(\.greatest).max() ?? 0 }
        for meter in lines { writeLine(meter, greatest: greatest[meter.unit] ?? 0, to: &sink) }
    }

    /// Writes one row for each meter: name, value and, if several meters have its unit, a bar.
    private func writeBars(_ meters: [MeterReadings], to sink: inout ByteSink) {
        let values = meters.map { amount($0.greatest, $0.unit) }
        let end = Self.indent + (meters.map(\.name.width).max() ?? 0) + Self.gap + (values.map(\.width).max() ?? 0)
        let room = min(options.width - end - Self.gap, Self.mostColumns)
        let byUnit = Dictionary(grouping: meters, by: \.unit).mapValues { meters in
            (count: meters.count, greatest: meters.map(\.greatest).max() ?? 1)
        }
        for (meter, value) in zip(meters, values) {
            let (count, greatest) = byUnit[meter.unit] ?? (0, 1)
            var line = Line(options)
            line.put(meter.name, at: Self.indent, to: &sink)
            line.put(value, before: end, to: &sink)
            if count > 1 && room >= Self.leastColumns && meter.greatest > 0 {
                let share = Double(meter.greatest) / Double(greatest) * Double(room)
                let bar = String(repeating: options.ascii ? "#" : "█", count: max(1, Int(share.rounded())))
                line.put(Label(safe: bar), at: end + Self.gap, .good, to: &sink)
            }
            line.end(to: &sink)
        }
    }

    /// Writes the range of a meter's values, and below it the values over time: a mark for each, whose height stands
    /// for the value.
    ///
    /// - Parameter greatest: the value for which the highest mark stands.
    private func writeLine(_ meter: MeterReadings, greatest: Int64, to sink: inout ByteSink) {
        var line = Line(options)
        let range =
            ", \(meter.values.count) readings: least \(amount(meter.least, meter.unit).text), median "
            + "\(amount(meter.median, meter.unit).text), greatest \(amount(meter.greatest, meter.unit).text)"
        for (index, piece) in (meter.name + Label(range, ascii: options.ascii))
            .pieces(within: max(options.width - Self.indent - 2, 1)).enumerated()
        {
            line.put(piece, at: index == 0 ? Self.indent : Self.indent + 2, to: &sink)
            line.end(to: &sink)
        }
        let columns = max(min(options.width - Self.indent - 2, Self.mostColumns), 1)
        let heights = meter.line(columns: columns).map { mark($0, greatest: greatest) }
        line.put(Label(safe: String(heights)), at: Self.indent + 2, .good, to: &sink)
        line.end(to: &sink)
    }

    private func mark(_ value: Int64, greatest: Int64) -> Character {
        let marks = Array(options.ascii ? "_.-=+*%#" : "▁▂▃▄▅▆▇█")
        guard value > 0, greatest > 0 else { return marks[0] }
        let last = marks.count - 1
        let height = Double(value) / Double(greatest) * Double(last)
        return marks[min(last, Int(height + 0.5))]
    }

    private func amount(_ value: Int64, _ unit: MeterReadings.Unit) -> Label {
        switch unit {
        case .count: Label(String(value))
        case .bytes: Label(ReadableBytes.text(value))
        case .nanoseconds: Label(ReadableDuration.text(nanoseconds: value), ascii: options.ascii)
        }
    }
}

/// The readings of one meter, in the order of time.
struct MeterReadings {
    enum Unit { case count, bytes, nanoseconds }

    let name: Label
    let unit: Unit
    private(set) var values: [Int64]

    var least: Int64 { values.min() ?? 0 }
    var greatest: Int64 { values.max() ?? 0 }

    /// The median. Of two middle values it is the lower one.
    var median: Int64 { values.sorted()[(values.count - 1) / 2] }

    /// The meters of a run, in the order of their first readings.
    static func all(in trace: TraceDocument, _ cast: Cast) -> [MeterReadings] {
        var meters: [MeterReadings] = []
        var places: [ObjectID: Int] = [:]
        for event in trace.events {
            guard let unit = Unit(event.kind) else { continue }
            if let place = places[event.object] {
                meters[place].values.append(event.value)
            } else {
                places[event.object] = meters.count
                meters.append(
                    MeterReadings(name: cast.object(event.object), unit: unit, values: [event.value]))
            }
        }
        return meters
    }

    /// At most `columns` values for a line. More readings are divided into that many groups, of which each gives its
    /// greatest value.
    func line(columns: Int) -> [Int64] {
        guard values.count > columns else { return values }
        return (0..<columns).map { column in
            values[column * values.count / columns..<(column + 1) * values.count / columns].max() ?? 0
        }
    }
}

extension MeterReadings.Unit {
    fileprivate init?(_ kind: EventKind) {
        guard kind.isReading else { return nil }
        switch kind.meaning {
        case .bytes: self = .bytes
        case .nanoseconds: self = .nanoseconds
        case .none, .number, .result, .ticket, .signal, .thread, .object, .text, .misuse, .order: self = .count
        }
    }
}
