extension Explanation {
    /// The text that `threadlab explain TL202` prints, with two programs, which tests run.
    static let weakMemory = Explanation(
        .weakMemory,
        meaning: """
            A thread does not see the newest write of an atomic, because nothing orders that write before its read.
            """,
        story: """
            A shop changes its price, and then switches on the sign "new prices". A customer sees the sign, looks at an
            old leaflet, and pays the old price: the sign was not tied to the leaflet.
            """,
        reason: """
            Processors keep stores in buffers, and processors and compilers move memory accesses that no order holds
            in place. A failure that needs it occurs in no interleaving of the program's steps: no sequentially
            consistent execution does this. So no test of interleavings finds it, and no amount of reading the
            program line by line explains it. The guide: use memory barriers, or avoid the problem with locks.
            """,
        sources: [
            #"Guide: Synchronization, "Memory Barriers and Volatile Variables""#,
            "C++20 [atomics.order]: which writes a read may see; Swift has the same memory model (SE-0282)",
            """
            Lahav, Vafeiadis, Kang, Hur, Dreyer, Repairing Sequential Consistency in C/C++11, PLDI 2017: rc11; Owens,
            Sarkar, Sewell, A Better x86 Memory Model, TPHOLs 2009: tso
            """,
        ],
        remedies: [
            "Publish with release, and read what was published with acquire.",
            "Where two threads each write and then read what the other writes, use seqcst operations or a seqcst fence.",
            "Use a mutex: it orders everything that its holders do.",
        ],
        confusion: """
            A data race (TL201) on plain memory, whose result is not defined at all. A program whose
            memory is all atomic has none, and a value can be old all the same.
            """,
        belief: """
            "The first line is executed before the second." Only for the thread itself: another thread sees the two
            writes in an order only if their memory orders say so.
            """,
        example: ExamplePrograms(
            shows: .race,
            remark: """
                What a flag does not order is a race if it is plain memory: any run shows it. Make data atomic and relaxed,
                and the race is gone, but 'explore --model rc11' finds the older value.
                """,
            broken: #"""
                /// A flag says that the data is there, and orders nothing.
                scenario "weak-memory"

                shared data = 0
                atomic ready = 0

                thread writer {
                    data = 1
                    ready.store(1, relaxed)
                }

                thread reader {
                    await ready.load(relaxed) == 1
                    assert data == 1
                }

                expect race
                """#,
            fixed: #"""
                /// A thread that sees the flag sees what was written before it.
                scenario "weak-memory, fixed"

                shared data = 0
                atomic ready = 0

                thread writer {
                    data = 1
                    ready.store(1, release)
                }

                thread reader {
                    await ready.load(acquire) == 1
                    assert data == 1
                }

                expect completes
                """#))
}
