import CLab
import Glibc
import Testing

@testable import Supervision

/// Each test in a separate process, which forks. What must happen later waits at a pipe.
@Suite struct WatchedProcessTests {
    /// A process that is watched to its end.
    struct Watched {
        var messages: [Int] = []
        var isDone = false
        var isDamaged = false
        var status: Int32 = 0

        init(_ work: (Mailbox) -> Void) throws {
            var process = try WatchedProcess(SharedChoices(capacity: 0), BlockedSignals([]), work: work)
            do throws(DamagedMessage) {
                while true {
                    guard WatchedProcess.awaitNews(of: [process])[0] else { continue }
                    let isThere = try process.receive { message throws(DamagedMessage) in
                        messages.append(try message.word())
                    }
                    if !isThere { break }
                }
            } catch {
                isDamaged = true
            }
            isDone = process.isDone
            status = process.reap()
        }
    }

    @Test func `what it says arrives, and that it is done`() async {
        await #expect(processExitsWith: .success) {
            let watched = try Watched { mailbox in for number in 0..<20_000 { mailbox.send(number) } }
            #expect(watched.messages == Array(0..<20_000))
            #expect(watched.isDone && watched.status == 0)
        }
    }

    @Test func `what it said before it died arrives, and that it is not done`() async {
        await #expect(processExitsWith: .success) {
            let watched = try Watched { mailbox in
                mailbox.send(7)
                abort()
            }
            #expect(watched.messages == [7])
            #expect(!watched.isDone && watched.status & 0x7F == SIGABRT)
        }
    }

    @Test func `one that says something else than it sends is found out`() async {
        await #expect(processExitsWith: .success) {
            Surroundings.sparePipes()
            let watched = try Watched { mailbox in
                mailbox.send(7)
                Surroundings.scribble()
                mailbox.send(8)
            }
            #expect(watched.messages == [7])
            #expect(watched.isDamaged && !watched.isDone)
        }
    }

    @Test(arguments: [true, false]) func `its end is seen although a child of it has the pipe open`(
        isDone: Bool
    ) async {
        await #expect(processExitsWith: .success) { [isDone] in
            // The child exists until this process closes the pipe, after the end was seen.
            let pipe = try Surroundings.makePipe()
            let watched = try Watched { mailbox in
                close(pipe.writer)
                Surroundings.leaveChild(until: pipe.reader)
                mailbox.send(7)
                if !isDone { _exit(3) }
            }
            #expect(watched.messages == [7])
            #expect(watched.isDone == isDone && watched.status == (isDone ? 0 : 3 << 8))
            close(pipe.writer)
        }
    }

    @Test func `it is stuck if nothing has happened while it slept, and not if something has`() async {
        await #expect(processExitsWith: .success) {
            let (orders, choices) = (try Surroundings.makePipe(), try SharedChoices(capacity: 0))
            var process = try WatchedProcess(choices, BlockedSignals([])) { mailbox in
                var order: UInt8 = 0
                while read(orders.reader, &order, 1) == 1 {
                    choices.log.reset()
                    mailbox.send(1)
                }
            }
            func stir() throws {
                var order: UInt8 = 0
                #expect(write(orders.writer, &order, 1) == 1)
                while !WatchedProcess.awaitNews(of: [process])[0] {}
                let isThere = try process.receive { words throws(DamagedMessage) in _ = try words.word() }
                #expect(isThere)
            }
            var first = process.isStuck(for: 0)
            #expect(!first)
            while !process.isStuck(for: 0) {}
            try stir()
            first = process.isStuck(for: 0)
            #expect(!first)
            while !process.isStuck(for: 0) {}
            let isStuck = process.isStuck(for: .max / 100)
            #expect(!isStuck, "it has all the time in the world")
            #expect(process.end() & 0x7F == SIGKILL)
        }
    }

    @Test func `it ends with its parent`() async {
        await #expect(processExitsWith: .success) {
            // The pipe's writing end is open until all processes that have it are gone.
            let leash = try Surroundings.makePipe()
            let parent = clab_fork()
            if parent == 0 {
                _ = try? WatchedProcess(SharedChoices(capacity: 0), BlockedSignals([])) { mailbox in
                    mailbox.send(1)
                    while true { pause() }
                }
                _exit(0)
            }
            close(leash.writer)
            var byte: UInt8 = 0
            #expect(read(leash.reader, &byte, 1) == 0)
            #expect(waitpid(parent, nil, 0) == parent)
        }
    }
}

extension Mailbox {
    fileprivate func send(_ number: Int) {
        var message = WordWriter()
        message.add(number)
        send(message)
    }
}
