import CCompiled
import Glibc

/// The places in the code whose accesses of memory are steps, and how much of each thread's stack others use, as text: a schedule means the
/// same only with the same steps, so a saved run carries them.
extension HostedProgram {
    /// Each place as its distance from the one before, in hexadecimal digits; behind a slash, each such thread and the depth of its stack.
    package var stepsText: String {
        var last = 0
        let steps = places.map { place in
            defer { last = place }
            return String(place - last, radix: 16)
        }.joined(separator: ",")
        let depths = stackDepths.map { "\(String($0.thread, radix: 16)):\(String($0.depth, radix: 16))" }
        return steps + (depths.isEmpty ? "" : "/" + depths.joined(separator: ","))
    }

    private var places: [Int] { marked { $0 & UInt8(COMPILED_STEP) != 0 } }

    private var threads: Range<Int> { 0..<Int(pointer.pointee.most_threads) }

    /// In bytes, of the threads of which others use something.
    var stackDepths: [(thread: Int, depth: Int)] {
        threads.map { ($0, Int(pointer.pointee.stack_depths[$0])) }.filter { $0.depth > 0 }
    }

    /// These and no others are steps from here on.
    ///
    /// - Returns: false if the text is none of this program's. Then nothing is changed.
    package func takeSteps(_ text: String) -> Bool {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let places = places(in: parts[0]),
            let depths = parts.count < 2 ? [] : depths(in: parts[1])
        else { return false }
        pointer.pointee.shared_sites.update(repeating: 0, count: Int(pointer.pointee.code_size))
        for place in places { pointer.pointee.shared_sites[place] = UInt8(COMPILED_STEP) }
        pointer.pointee.stack_depths.update(repeating: 0, count: threads.count)
        for (thread, depth) in depths { pointer.pointee.stack_depths[thread] = depth }
        return true
    }

    private func places(in text: Substring) -> [Int]? {
        var places: [Int] = []
        for word in text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let distance = Int(word, radix: 16), distance >= 0 else { return nil }
            let (place, isTooFar) = (places.last ?? 0).addingReportingOverflow(distance)
            guard !isTooFar, place < pointer.pointee.code_size else { return nil }
            places.append(place)
        }
        return places
    }

    private func depths(in text: Substring) -> [(Int, UInt32)]? {
        var depths: [(Int, UInt32)] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = word.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0, radix: 16) }
            guard numbers.count == 2, let thread = numbers[0], let depth = numbers[1], threads.contains(Int(thread)),
                depth <= COMPILED_STACK
            else { return nil }
            depths.append((Int(thread), depth))
        }
        return depths
    }

    /// What tells this build of the program from others: the hash (FNV-1a) of its file. Nil: it cannot be read.
    package var digest: String? { Self.digest }

    /// Read once: the process has one program.
    private static let digest: String? = {
        let descriptor = open("/proc/self/exe", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { close(descriptor) }
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = read(descriptor, &buffer, buffer.count)
            if count < 0 { return nil }
            if count == 0 { return String(hash, radix: 16) }
            for byte in buffer[..<count] { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        }
    }()
}
