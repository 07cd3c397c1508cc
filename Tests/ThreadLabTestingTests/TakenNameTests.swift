// What docs/ThreadLab.docc/FirstTest.md says of names that other modules have too: this file has to compile.
import Foundation
import Synchronization
import Testing
import ThreadLab
import ThreadLabTesting

import class ThreadLab.Mutex

private typealias Atomic = ThreadLab.Atomic

@Suite struct TakenNameTests {
    @Test func `with Foundation, a thread with a name is threadlab's`() throws {
        try explore {
            let thread = try Thread("other") {}
            try thread.join()
        }
        #expect(!Thread.current.isCancelled)
    }

    @Test func `a mutex that is imported by its name is threadlab's`() throws {
        try explore {
            let mutex = Mutex("m")
            try mutex.withLock {}
        }
    }

    @Test func `an alias in the file counts before what is imported`() throws {
        try explore {
            let count = Atomic("count", 0)
            try ThreadLabTesting.check(count.add(1), is: 0)
        }
    }
}
