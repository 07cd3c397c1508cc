import CCompiled
import Execution
import Glibc

/// Which memory accesses are steps: those at certain places in the code, and those to the part of a thread's stack that
/// other threads use. A schedule means the same only with the same steps, so a saved run contains them as text.
extension HostedProgram {
    /// The accesses that are steps.
    package struct Steps: Sendable {
        fileprivate let places: [Int]
        /// For each thread whose stack other threads use: the size of the part that they use, in bytes from the top of
        /// the stack.
        fileprivate let depths: [(thread: Int, depth: Int)]

        /// `PLACES` or `PLACES/DEPTHS`, with commas between the elements and all numbers hexadecimal: each place as its
        /// distance from the one before, each depth as `THREAD:BYTES`.
        fileprivate var text: String {
            var last = 0
            let steps = places.map { place in
                defer { last = place }
                return String(place - last, radix: 16)
            }.joined(separator: ",")
            let parts = depths.map { "\(String($0.thread, radix: 16)):\(String($0.depth, radix: 16))" }
            return steps + (parts.isEmpty ? "" : "/" + parts.joined(separator: ","))
        }

        /// The text of the steps that are not among the others. Nil: there are none.
        func text(without others: Steps) -> String? {
            let known = Set(others.places)
            let more = Steps(
                places: places.filter { !known.contains($0) },
                depths: depths.filter { own in !others.depths.contains { $0 == own } })
            return more.places.isEmpty && more.depths.isEmpty ? nil : more.text
        }
    }

    /// The accesses that are steps now.
    package var present: Steps {
        Steps(places: marked { $0 & UInt8(COMPILED_STEP) != 0 }, depths: stackDepths)
    }

    /// The accesses that are steps now, as text.
    package var stepsText: String { present.text }

    private var threads: Range<Int> { 0..<Int(pointer.pointee.most_threads) }

    /// See `Steps.depths`.
    private var stackDepths: [(thread: Int, depth: Int)] {
        threads.map { ($0, Int(pointer.pointee.stack_depths[$0])) }.filter { $0.depth > 0 }
    }

    /// Replaces the steps by those in the text.
    ///
    /// - Returns: false if the text does not fit this program. Then nothing is changed.
    package func takeSteps(_ text: String) -> Bool {
        guard let steps = steps(in: text) else { return false }
        pointer.pointee.shared_places.update(repeating: 0, count: Int(pointer.pointee.place_count))
        pointer.pointee.stack_depths.update(repeating: 0, count: threads.count)
        add(steps)
        return true
    }

    /// Adds the steps in the text. Where it names a thread's stack depth, the greater one counts.
    ///
    /// - Returns: false if the text does not fit this program. Then nothing is changed.
    package func addSteps(_ text: String) -> Bool {
        guard let steps = steps(in: text) else { return false }
        add(steps)
        return true
    }

    private func add(_ steps: Steps) {
        for place in steps.places { pointer.pointee.shared_places[place] = UInt8(COMPILED_STEP) }
        for (thread, depth) in steps.depths {
            pointer.pointee.stack_depths[thread] = max(pointer.pointee.stack_depths[thread], UInt32(depth))
        }
    }

    /// Reads a text. Nil: it does not fit this program.
    private func steps(in text: String) -> Steps? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let places = places(in: parts[0]),
            let depths = parts.count < 2 ? [] : depths(in: parts[1])
        else { return nil }
        return Steps(places: places, depths: depths)
    }

    private func places(in text: Substring) -> [Int]? {
        var places: [Int] = []
        for word in text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let distance = Int(word, radix: 16), distance >= 0 else { return nil }
            let (place, isTooFar) = (places.last ?? 0).addingReportingOverflow(distance)
            guard !isTooFar, place < pointer.pointee.place_count else { return nil }
            places.append(place)
        }
        return places
    }

    private func depths(in text: Substring) -> [(thread: Int, depth: Int)]? {
        var depths: [(thread: Int, depth: Int)] = []
        for word in text.split(separator: ",", omittingEmptySubsequences: false) {
            let numbers = word.split(separator: ":", omittingEmptySubsequences: false).map { UInt32($0, radix: 16) }
            guard numbers.count == 2, let thread = numbers[0], let depth = numbers[1], threads.contains(Int(thread)),
                depth <= COMPILED_STACK
            else { return nil }
            depths.append((Int(thread), Int(depth)))
        }
        return depths
    }

    /// Identifies this build of the program: a hash (FNV-1a) of its files, without the runtime's. Nil: a file cannot be
    /// read.
    package var digest: String? {
        Self.knownDigest.withLock { known in
            known = known ?? hash
            return known
        }
    }

    /// The digest, once computed: the process has one program.
    private static let knownDigest = Guarded<String?>(nil)

    private var hash: String? {
        // The offset basis of FNV-1a. Below, the hash is multiplied by its prime.
        var value: UInt64 = 0xCBF2_9CE4_8422_2325
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        for file in files where !file.isRuntime {
            let descriptor = open(file.path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { return nil }
            defer { close(descriptor) }
            while true {
                let count = read(descriptor, &buffer, buffer.count)
                if count < 0 { return nil }
                if count == 0 { break }
                for byte in buffer[..<count] { value = (value ^ UInt64(byte)) &* 0x100_0000_01B3 }
            }
        }
        return String(value, radix: 16)
    }
}
