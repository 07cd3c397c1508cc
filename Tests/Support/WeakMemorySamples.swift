import Trace

extension TraceDocument {
    /// Message passing with a flag that is relaxed: the reader sees the flag, and not the newest data.
    package static func messagePassing(
        flag: String = "relaxed", read: String = "acquire", between: String = ""
    ) -> TraceDocument {
        weak(
            """
            writer atomic.store data 1 relaxed :7
            writer atomic.store flag 1 \(flag) :8
            reader atomic.load flag 1 \(read) :12
            \(between)reader memory.behind data 1 :13
            reader atomic.load data 0 relaxed :13
            """)
    }

    /// 2+2W: the second write of x goes before the first.
    package static let twoPlusTwoWrites = weak(
        """
        left atomic.store x 1 relaxed :6
        left atomic.store y 2 relaxed :7
        right atomic.store y 1 relaxed :11
        right memory.before x 1 :12
        right atomic.store x 2 relaxed :12
        """)

    /// A run under the weaker model with this number: 1 is tso, 2 is rc11.
    package static func weak(_ lines: String, model: Int = 2) -> TraceDocument {
        let script = Script("main memory.model \(model)\n\(lines)", runtime: .controlled, file: "weak.lab")
        var trace = script.trace
        trace.header.rules = [.init(name: "model", value: model == 1 ? "tso" : "rc11")]
        return trace
    }
}
