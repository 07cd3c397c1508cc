import CPthread
import Glibc
import Testing

/// What `ThreadSlots` assumes about the system's threads. threadlab is not involved.
@Suite struct KeyOrderTests {
    /// What a thread has under one key: its destructor records it, and stores it again.
    private final class Cell {
        let key: pthread_key_t
        let log: Log

        init(_ key: pthread_key_t, _ log: Log) {
            self.key = key
            self.log = log
        }

        func store() { pthread_setspecific(key, Unmanaged.passUnretained(self).toOpaque()) }
    }

    /// Used by one thread, and then by the one that has joined it.
    private final class Log {
        var cells: [Cell] = []
        var calls: [pthread_key_t] = []
    }

    @Test func `destructors are called in the order of the keys, in four rounds`() {
        let keys = (0..<5).map { _ in
            var key = pthread_key_t()
            pthread_key_create(&key) { pointer in
                let cell = Unmanaged<Cell>.fromOpaque(pointer!).takeUnretainedValue()
                cell.log.calls.append(cell.key)
                cell.store()
            }
            return key
        }
        defer { for key in keys { pthread_key_delete(key) } }
        let log = Log()
        // Neither the order in which they were made nor its reverse.
        log.cells = [keys[3], keys[0], keys[4], keys[2], keys[1]].map { Cell($0, log) }
        var thread = pthread_t()
        let started = pthread_create(
            &thread, nil,
            { pointer in
                for cell in Unmanaged<Log>.fromOpaque(pointer!).takeUnretainedValue().cells { cell.store() }
                return nil
            }, Unmanaged.passUnretained(log).toOpaque())
        #expect(started == 0 && pthread_join(thread, nil) == 0)
        let round = keys.sorted()
        #expect(log.calls == round + round + round + round)
    }
}
