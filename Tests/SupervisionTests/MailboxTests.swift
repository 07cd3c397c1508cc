import Glibc
import Testing

@testable import Supervision

/// Both ends of the pipe are this process's.
@Suite struct MailboxTests {
    private func message(_ words: [Int]) -> WordWriter {
        var message = WordWriter()
        for word in words { message.add(word) }
        return message
    }

    /// The received messages.
    private func receive(_ mailbox: inout Mailbox) throws -> [[Int]] {
        var messages: [[Int]] = []
        _ = try mailbox.receive { message throws(DamagedMessage) in
            var words: [Int] = []
            while !message.isEmpty { words.append(try message.word()) }
            messages.append(words)
        }
        return messages
    }

    /// Writes words into the pipe, as a broken process would.
    private func put(_ bytes: ArraySlice<UInt8>, into mailbox: Mailbox) throws {
        let writer = open("/proc/self/fd/\(mailbox.poll.fd)", O_WRONLY)
        try #require(writer >= 0)
        defer { close(writer) }
        #expect(write(writer, Array(bytes), bytes.count) == bytes.count)
    }

    private func bytes(_ words: [Int]) -> [UInt8] { words.withUnsafeBytes { Array($0) } }

    @Test func `messages come whole and in their order, the empty one too`() throws {
        var mailbox = try Mailbox()
        for words in [[1, 2, 3], [], [.min]] { mailbox.send(message(words)) }
        #expect(mailbox.hasNews)
        #expect(try receive(&mailbox) == [[1, 2, 3], [], [.min]])
        #expect(!mailbox.hasNews)
        mailbox.closeWriter()
        #expect(mailbox.hasNews)
        let isThere = try mailbox.receive { _ in }
        #expect(!isThere)
        mailbox.closeReader()
    }

    @Test func `a message that comes in pieces is handed over with the last one`() throws {
        var mailbox = try Mailbox()
        let pieces = bytes([2, 10, 20, 1, 30])
        for byte in pieces.indices {
            try put(pieces[byte...byte], into: mailbox)
            let messages = try receive(&mailbox)
            #expect(messages == (byte == 23 ? [[10, 20]] : byte == 39 ? [[30]] : []))
        }
    }

    @Test func `what was cut short is dropped at the end`() throws {
        var mailbox = try Mailbox()
        try put(bytes([1, 7, 3, 1, 2])[...], into: mailbox)
        mailbox.closeWriter()
        #expect(try receive(&mailbox) == [[7]])
        let isThere = try mailbox.receive { _ in Issue.record("half a message was handed over") }
        #expect(!isThere)
    }

    @Test(arguments: [-1, .min, .max, 1 << 40]) func `a length that no message has is damage`(length: Int) throws {
        var mailbox = try Mailbox()
        try put(bytes([1, 7, length, 0, 0])[...], into: mailbox)
        var words: [Int] = []
        #expect(throws: DamagedMessage.self) {
            _ = try mailbox.receive { message throws(DamagedMessage) in words.append(try message.word()) }
        }
        #expect(words == [7], "what came before is whole")
    }

    @Test func `a message that is longer than what reads it is damage`() throws {
        var mailbox = try Mailbox()
        mailbox.send(message([1, 2]))
        #expect(throws: DamagedMessage.self) {
            _ = try mailbox.receive { message throws(DamagedMessage) in _ = try message.word() }
        }
    }

    @Test func `programs that are started do not get its ends`() throws {
        let mailbox = try Mailbox()
        #expect(
            Surroundings.ends(ofPipe: mailbox.poll.fd).map { fcntl($0, F_GETFD) & FD_CLOEXEC } == [
                FD_CLOEXEC, FD_CLOEXEC,
            ])
    }
}
