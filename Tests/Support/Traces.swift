import Trace

extension TraceDocument {
    /// Two threads that take the same two locks in opposite orders, up to the point where neither can continue.
    package static var abba: TraceDocument {
        var trace = Script(
            """
            main    thread.create first   :20
            main    thread.create second  :26
            first   thread.start
            first   mutex.acquire a 1     :21
            main    thread.join-wait first :32
            second  thread.start
            second  mutex.acquire b 1     :27
            first   mutex.wait b          :22
            second  mutex.wait a          :28
            """, scenario: "deadlock", runtime: .controlled, file: "Scenarios/Deadlock.swift"
        ).trace
        trace.header.parameters = [.init(name: "order", value: "opposite")]
        trace.header.seed = 7
        trace.header.schedule = "0.1.2*3"
        return trace
    }
}

extension TraceDocument {
    /// A producer that hands one item to a consumer, and all goes well. Native, so that time passes.
    package static var handOver: TraceDocument {
        Script(
            """
            main     thread.create producer   :5
            main     thread.create consumer   :9
            consumer thread.start
            consumer mutex.acquire m 1        :20
            consumer condition.wait changed m :21
            producer thread.start
            producer mutex.acquire m 2        :12
            producer cell.write count 1       :13
            producer condition.signal changed :14
            producer note "one is ready"      :14
            producer mutex.release m          :15
            producer thread.exit
            consumer condition.wake changed m :21
            consumer cell.read count 1        :22
            consumer mutex.release m          :23
            consumer thread.deadline 20000000 :24
            consumer semaphore.wait permits   :24
            consumer semaphore.timeout permits :24
            consumer thread.exit 42
            main     thread.join producer     :30
            main     thread.join consumer     :31
            main     run.exit
            main     run.complete
            """, scenario: "hand-over", file: "Scenarios/HandOver.swift"
        ).trace
    }
}
