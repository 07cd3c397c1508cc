import Trace

/// What one meter of a run has read.
struct MeterReadings {
    enum Unit { case count, bytes, nanoseconds }

    let name: Label
    let unit: Unit
    private(set) var values: [Int64]

    var least: Int64 { values.min() ?? 0 }
    var greatest: Int64 { values.max() ?? 0 }

    /// The lower one of the two in the middle.
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

    /// The greatest value in each of as many stretches of the readings as there are columns.
    func line(columns: Int) -> [Int64] {
        guard values.count > columns else { return values }
        return (0..<columns).map { column in
            values[column * values.count / columns..<(column + 1) * values.count / columns].max() ?? 0
        }
    }
}

extension MeterReadings.Unit {
    fileprivate init?(_ kind: EventKind) {
        switch kind {
        case .meterCount: self = .count
        case .meterBytes: self = .bytes
        case .meterTime: self = .nanoseconds
        default: return nil
        }
    }
}
