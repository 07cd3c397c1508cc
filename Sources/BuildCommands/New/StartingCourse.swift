import Console

/// The files that `new --course` writes: a course with one lesson, which has a program, a question and an exercise.
enum StartingCourse {
    /// The files, with their paths in the course's folder.
    static var files: [(path: String, text: String)] {
        [
            ("course.md", page), ("first-steps/lesson.md", lesson), ("first-steps/lost-update.lab", program),
            ("first-steps/add-a-lock/exercise.md", exercise), ("first-steps/add-a-lock/task.lab", task),
            ("first-steps/add-a-lock/solution.lab", solution), ("first-steps/add-a-lock/wrong-1.lab", mistake),
        ]
    }

    /// With `--swift`: the files of another exercise in the lesson, in Swift.
    static var swiftExercise: [(path: String, text: String)] {
        let folder = "first-steps/count-together"
        return [
            ("exercise.md", exerciseInSwift), ("task.swift", counter { "count.update { $0 + 1 }" }),
            ("tests.swift", tests),
            ("solution.swift", counter(mutex: "lock") { "lock.withLock { try count.update { $0 + 1 } }" }),
            ("wrong-1.swift", counter { "Mutex(\"lock\").withLock { try count.update { $0 + 1 } }" }),
        ].map { ("\(folder)/\($0.0)", $0.1) }
    }

    private static let page = """
        # My course

        What the course is about, what it assumes, and how long it takes.

        1. [First steps](first-steps/lesson.md)

        """

    private static let lesson = """
        # First steps
        Minutes: 10

        Say one idea at a time. Then show it in a program:

        ```program
        lost-update.lab
        ```

        Let the reader predict before anything runs. The answer is computed:

        ```question
        program: lost-update.lab
        ask: Which values can `count` have at the end?
        values: count
        - 0
        - 1
        - 2
        because: Each thread reads before it writes, so one addition can be lost, but not both.
        ```

        Then let them try it:

        ```run
        threadlab explore lost-update.lab
        ```

        """

    private static let program = """
        /// Two threads each add one to a counter, without a lock.
        scenario "lost update"

        shared count = 0

        thread adder[2] {
            let seen = count
            count = seen + 1
        }

        expect race

        """

    private static let exercise = """
        # Add a lock
        Kind: fix
        Minutes: 5
        Fails: race

        Two threads add one to a counter. Protect the addition, so that none is lost.

        ## Hint
        Which two steps of a thread must no other thread come between?

        """

    private static let exerciseInSwift = """
        # Count together
        Kind: swift
        Minutes: 10
        Fails: race

        Two threads add to a counter, and additions are lost. Protect the counter with a `Mutex`.

        ## Hint
        Do all threads that add lock the same mutex?

        """

    private static let tests = """
        import CountTogether
        import Testing
        import ThreadLab
        import ThreadLabTesting

        @Test func `no addition is lost`() throws {
            try explore {
                let counter = Counter()
                try concurrently { try counter.add() } and: { try counter.add() }
                try check(try counter.value(), is: 2)
            }
        }

        """

    private static func counter(mutex: String? = nil, _ body: () -> String) -> String {
        """
        import ThreadLab

        /// A counter that several threads add to.
        public final class Counter: Sendable {
            private let count = Shared("count", 0)
        \(mutex.map { "    private let \($0) = Mutex(\"\($0)\")\n" } ?? "")
            public init() {}

            public func add() throws { try \(body()) }

            public func value() throws -> Int { try count.read() }
        }

        """
    }

    private static let task = taskText { "    add()" }
    private static let solution = taskText(mutex: "mutex m\n\n") { "    lock m { add() }" }
    private static let mistake = taskText(mutex: "mutex m[2]\n\n") { "    lock m[index] { add() }" }

    private static func taskText(mutex: String = "", _ body: () -> String) -> String {
        """
        /// Two threads add one to a counter.
        scenario "add a lock"

        given shared count = 0

        \(mutex)given func add() {
            let seen = count
            count = seen + 1
        }

        thread adder[2] {
        \(body())
        }

        finally { assert count == 2 }

        expect completes

        task {
            at most 2 threads, 2 mutexes
            each adder calls add
        }

        """
    }
}
