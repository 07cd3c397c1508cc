/// What somebody begins with who writes a file of their own.
package enum StartingProgram {
    /// - Parameter title: must be fit to stand between quotation marks.
    package static func text(title: String) -> String {
        """
        /// Two threads count together, and a lock keeps them apart.
        scenario "\(title)"

        /// how often each thread counts
        parameter times = 3 in 1...100

        mutex m
        shared count = 0  // plain memory: each read of it is a step, and each write

        // Two threads with the same code. Both are there when the program begins.
        thread counter[2] {
            repeat times {
                lock m { count += 1 }
            }
        }

        // Runs when all threads have ended.
        finally { assert count == 2 * times, "the count is \\(count)" }

        // What may come of it. Here: every run ends well, whatever the order of steps.
        expect completes

        // Change something, and run it again:
        // - `count += 1` without `lock m { … }`: two threads race, and some of the counting is lost. That this can happen is
        //   said with `expect race, assertion`.
        // - `m.lock()` in the line before it instead, with no `m.unlock()`: everybody waits for ever, `expect deadlock`.

        """
    }
}
