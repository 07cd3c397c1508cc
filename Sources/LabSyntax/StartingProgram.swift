/// The program in a `.lab` file that `threadlab new` creates. Its comments are a first introduction to the language.
package enum StartingProgram {
    /// - Parameter title: the scenario's name, without characters that need an escape in a string literal.
    package static func text(title: String) -> String {
        """
        /// Two threads add to one counter, which a lock protects.
        scenario "\(title)"

        /// increments per thread
        parameter times = 3 in 1...100

        mutex m
        shared count = 0  // plain memory: each read and each write is a step

        // Two threads with the same code, which both exist when the program starts.
        thread counter[2] {
            repeat times {
                lock m { count += 1 }
            }
        }

        // Runs when all threads have ended.
        finally { assert count == 2 * times, "the count is \\(count)" }

        // The expected outcome. Here: every run completes, whatever the order of steps.
        expect completes

        // Change something, and run it again:
        // - `count += 1` without `lock m { … }`: the two threads race, and updates are lost. Write `expect race, assertion`
        //   to say that this can happen.
        // - `m.lock()` in the line before instead, without `m.unlock()`: the threads wait forever, `expect deadlock`.

        """
    }
}
