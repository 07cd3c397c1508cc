import Primitives

extension Case {
    static let onces: [Case] = [
        Case("O1", "called twice, it runs one body") { _ in
            let once = Once()
            let runs = Plain(0)
            for _ in 0..<2 { try once.run { runs.value += 1 } }
            try expect(runs.value == 1)
        },
        Case(
            "O2", "of several threads one runs its body, either of them, and none returns before it is complete",
            sightings: ["0 ran it", "1 ran it"]
        ) { sightings in
            let once = Once()
            let runs = Shared(nil, 0)
            let isComplete = Shared(nil, false)
            @Sendable func use(_ number: Int) throws {
                try once.run {
                    sightings.saw("\(number) ran it")
                    try runs.update { $0 + 1 }
                    try isComplete.write(true)
                }
                try expect(isComplete.read())
                try expect(runs.read() == 1)
            }
            let other = try Thread { try use(1) }
            try use(0)
            try other.join()
        },
        Case("O2-many", "the same with more threads", search: .some) { _ in
            let once = Once()
            let runs = Shared(nil, 0)
            let threads = try (0..<8).map { _ in
                try Thread {
                    try once.run {
                        try Thread.yield()
                        try runs.update { $0 + 1 }
                    }
                    try expect(runs.read() == 1)
                }
            }
            for thread in threads { try thread.join() }
        },
        Case("O3", "if its thread ends in the body, the once is unused again: the next caller runs its own body") { _ in
            let once = Once()
            let runs = Shared(nil, 0)
            let thread = try Thread {
                try once.run {
                    try runs.update { $0 + 1 }
                    try Thread.exit()
                }
            }
            try thread.join()
            for _ in 0..<2 { try once.run { try runs.update { $0 + 1 } } }
            try expect(runs.read() == 2)
        },
        Case(
            "O4",
            "if the body throws, the once is unused again: its caller gets the error, and the next caller runs its own body"
        ) { _ in
            let once = Once()
            let runs = Plain(0)
            var error: (any Error)?
            do { try once.run { throw Failure() } } catch let thrown { error = thrown }
            try expect(error is Failure)
            for _ in 0..<2 { try once.run { runs.value += 1 } }
            try expect(runs.value == 1)
        },
        Case("O4-waiting", "if the first body throws, a thread that is already waiting runs its own") { _ in
            let once = Once()
            let attempts = Shared(nil, 0)
            let completed = Shared(nil, 0)
            @Sendable func use() throws {
                do {
                    try once.run {
                        try attempts.update { $0 + 1 }
                        if try attempts.read() == 1 { throw Failure() }
                        try completed.update { $0 + 1 }
                    }
                } catch is Failure {}
            }
            let other = try Thread { try use() }
            try use()
            try other.join()
            try expect(attempts.read() == 2 && completed.read() == 1)
        },
        Case("O5", "a body that runs the same once waits for itself", endings: [.deadlock]) { _ in
            let once = Once()
            try once.run { try once.run { try expect(false, "it is kept") } }
        },
        Case("O5-other", "a body may run another once, and the same one when it is complete") { _ in
            let first = Once()
            let second = Once()
            try first.run { try second.run {} }
            try second.run { try expect(false, "it is complete") }
            try first.run { try expect(false, "it is complete") }
        },
        Case(
            "O5-cycle", "a body that waits for a thread which needs the same once waits forever",
            endings: [.deadlock]
        ) { _ in
            let once = Once()
            try once.run {
                let helper = try Thread { try once.run {} }
                try helper.join()
            }
        },
    ]
}
