/// The numbers of fields in Perfetto's schema (`protos/perfetto/trace` in its repository), for the messages that
/// threadlab writes.
enum PerfettoField {
    /// `Trace`
    static let packet: UInt64 = 1

    enum Packet {
        static let timestamp: UInt64 = 8
        static let sequence: UInt64 = 10
        static let event: UInt64 = 11
        static let internedData: UInt64 = 12
        static let sequenceFlags: UInt64 = 13
        static let descriptor: UInt64 = 60

        static let stateCleared: UInt64 = 1
        static let needsState: UInt64 = 2
    }

    enum Interned {
        static let names: UInt64 = 2
        static let annotationNames: UInt64 = 3
        static let places: UInt64 = 4

        /// Of each entry.
        static let number: UInt64 = 1
        static let text: UInt64 = 2
        static let line: UInt64 = 4
    }

    enum Track {
        static let number: UInt64 = 1
        static let name: UInt64 = 2
        static let process: UInt64 = 3
        static let thread: UInt64 = 4
        static let parent: UInt64 = 5
        static let counter: UInt64 = 8
    }

    enum Process {
        static let number: UInt64 = 1
        static let name: UInt64 = 6
    }

    enum Thread {
        static let process: UInt64 = 1
        static let number: UInt64 = 2
        static let name: UInt64 = 5
    }

    enum Counter {
        static let unit: UInt64 = 3
    }

    enum Event {
        static let annotations: UInt64 = 4
        static let type: UInt64 = 9
        static let name: UInt64 = 10
        static let track: UInt64 = 11
        static let text: UInt64 = 23
        static let counterValue: UInt64 = 30
        static let place: UInt64 = 34
        static let flows: UInt64 = 47
        static let endingFlows: UInt64 = 48
    }

    enum Annotation {
        static let name: UInt64 = 1
        static let integer: UInt64 = 4
    }
}
