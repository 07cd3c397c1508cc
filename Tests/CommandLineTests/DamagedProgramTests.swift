import Glibc
import Support
import Testing
import Trace

/// Compiled programs in whose files a few bytes are wrong: of what they say of their functions, lines and variables.
@Suite struct DamagedProgramTests {
    private static let text = """
        #include <pthread.h>
        static int n;
        static void add(int *all, int times) {
            int sum[2] = {times, 0};
            if (times) add(all, times - 1);
            *all += sum[0];
        }
        static void *work(void *all) {
            add(all, 2);
            return 0;
        }
        int main(void) {
            pthread_t thread;
            pthread_create(&thread, 0, work, &n);
            work(&n);
            pthread_join(thread, 0);
            return 0;
        }

        """

    private let program: CProgram
    private let file: String
    private let bytes: [UInt8]

    init() throws {
        program = try CProgram("adds", source: Self.text, compiler: CProgram.clang)
        file = "\(program.folderPath)/adds"
        bytes = try #require(Files.read(file))
    }

    private func number(at place: Int, _ size: Int) -> Int {
        (0..<size).reduce(0) { $0 | Int(bytes[place + $1]) << (8 * $1) }
    }

    /// Where a section is in the file.
    private func section(_ name: String) throws -> Range<Int> {
        let (headers, size) = (number(at: 0x28, 8), number(at: 0x3A, 2))
        let names = number(at: headers + number(at: 0x3E, 2) * size + 24, 8)
        for index in 0..<number(at: 0x3C, 2) {
            let header = headers + index * size
            let start = names + number(at: header, 4)
            guard bytes[start...].starts(with: Array(name.utf8) + [0]) else { continue }
            return number(at: header + 24, 8)..<number(at: header + 24, 8) + number(at: header + 32, 8)
        }
        throw Missing(section: name)
    }

    private struct Missing: Error { let section: String }

    private func explore(_ damaged: [UInt8]) throws -> Ended {
        try Files.writeProgram(file, damaged)
        return try program.explore()
    }

    /// - Returns: whether the file was refused.
    private func isRefused(_ damaged: [UInt8], _ what: String) throws -> Bool {
        let ended = try explore(damaged)
        #expect(ended.signal == nil, "\(what)")
        if ended.code == 2 {
            ended.printsNothing().complainsInOneLine(
                about: "threadlab: ./adds: what it says of its functions is damaged (.eh_frame): build it again")
            return true
        }
        #expect(ended.code.map { (0...1).contains($0) } == true, "\(what): \(ended.errors)")
        return false
    }

    @Test func `one wrong byte in what it says of its functions is answered, and kills nothing without a word`() throws
    {
        let frames = try section(".eh_frame")
        var refused = 0
        for place in stride(from: frames.lowerBound, to: frames.lowerBound + 0x60, by: 4) {
            var damaged = bytes
            damaged[place] = 0x40
            if try isRefused(damaged, "0x40 at \(place - frames.lowerBound)") { refused += 1 }
        }
        #expect(refused > 0)
    }

    @Test(arguments: [30, 300, 3000]) func `and so are many`(count: Int) throws {
        let frames = try section(".eh_frame")
        for seed in 1...6 {
            var random = SplitMix64(seed: UInt64(seed))
            var damaged = bytes
            for _ in 0..<count {
                damaged[frames.lowerBound + random.next(below: frames.count)] = UInt8(random.next(below: 256))
            }
            _ = try isRefused(damaged, "seed \(seed)")
        }
    }

    @Test(arguments: [".debug_info", ".debug_abbrev", ".debug_line", ".symtab"])
    func `extreme numbers in what is for debuggers change no verdict`(name: String) throws {
        let place = try section(name)
        for seed in 1...4 {
            var random = SplitMix64(seed: UInt64(seed))
            var damaged = bytes
            for _ in 0..<40 {
                let number = ExtremeNumbers.words[random.next(below: ExtremeNumbers.words.count)]
                let size = [1, 2, 4, 8][random.next(below: 4)]
                let start = place.lowerBound + random.next(below: place.count - size)
                for byte in 0..<size { damaged[start + byte] = UInt8(truncatingIfNeeded: number >> (byte * 8)) }
            }
            try explore(damaged).exits(with: 1).prints("race: Data race: ")
        }
    }
}
