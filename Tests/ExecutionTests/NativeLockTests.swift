import Machine
import Testing
import Trace

@testable import Execution

@Suite struct NativeLockTests {
    @Test(arguments: [ObjectState.Kind.readersFirstLock, .writersFirstLock])
    func `readers share, writers exclude`(kind: ObjectState.Kind) throws {
        let report = try runNatively { lab in
            let lock = lab.lock(kind)
            try lab.expect(lab.perform(.readLock, lock), is: 1)
            try lab.join(
                try lab.thread {
                    try lab.expect(lab.perform(.tryReadLock, lock), is: 1)
                    try lab.expect(lab.perform(.tryWriteLock, lock), is: 0)
                    try lab.expect(lab.perform(.writeLockUntil, lock, 0, lab.runtime.now + 1_000_000), is: 0)
                    try lab.expect(lab.perform(.unlockShared, lock), is: 0)
                    #expect(lab.misuse { try lab.perform(.unlockShared, lock) } == "unlock-not-owner")
                })
            #expect(lab.misuse { try lab.perform(.destroy, lock) } == "destroy-held")
            try lab.expect(lab.perform(.unlockShared, lock), is: 0)
            try lab.expect(lab.perform(.writeLock, lock), is: 1)
            #expect(lab.misuse { try lab.perform(.readLock, lock) } == "relock")
            #expect(lab.misuse { try lab.perform(.writeLock, lock) } == "relock")
            try lab.expect(lab.perform(.tryReadLock, lock), is: 0)
            try lab.expect(lab.perform(.tryWriteLock, lock), is: 0)
            try lab.join(try lab.thread { try lab.expect(lab.perform(.readLockUntil, lock, 0, 0), is: 0) })
            try lab.expect(lab.perform(.unlockShared, lock), is: 1)
            lab.runtime.discard(lock, evenIf: false)
        }
        #expect(report.result.isComplete)
    }

    @Test(arguments: [(ObjectState.Kind.readersFirstLock, 1), (.writersFirstLock, 0)])
    func `a waiting writer keeps new readers out only if writers go first`(kind: ObjectState.Kind, tried: Int) throws {
        try runNatively { lab in
            let lock = lab.lock(kind)
            try lab.expect(lab.perform(.readLock, lock), is: 1)
            let writer = try lab.thread {
                try lab.expect(lab.perform(.writeLock, lock), is: 1)
                try lab.expect(lab.perform(.unlockShared, lock), is: 1)
            }
            let storage = NativeStorage(lock)
            try lab.eventually { storage.object.pointee.waitingWriters.load(ordering: .relaxed) == 1 }
            try lab.expect(lab.perform(.tryReadLock, lock), is: tried)
            if tried == 1 { try lab.expect(lab.perform(.unlockShared, lock), is: 0) }
            try lab.expect(lab.perform(.unlockShared, lock), is: 0)
            try lab.join(writer)
        }
    }

    @Test func `in the trace no thread reads while another writes`() throws {
        let report = try runNatively { lab in
            let lock = lab.lock()
            let threads = try (0..<4).map { number in
                try lab.thread {
                    for round in 0..<500 {
                        _ = try lab.perform((number + round) % 5 == 0 ? .writeLock : .readLock, lock)
                        _ = try lab.perform(.unlockShared, lock)
                    }
                }
            }
            for thread in threads { try lab.join(thread) }
        }
        var (readers, writers, count) = (0, 0, Int64(0))
        for event in report.document.events {
            switch event.kind {
            case .readAcquire, .writeAcquire:
                #expect(writers == 0 && (event.kind == .readAcquire || readers == 0))
                count += 1
                // Readers may record in a different order than they arrived.
                #expect(event.kind == .readAcquire || event.value == count)
                if event.kind == .readAcquire { readers += 1 } else { writers += 1 }
            case .readRelease: readers -= 1
            case .writeRelease: writers -= 1
            default: break
            }
        }
        #expect(count == 2000)
    }
}
