import CCompiled
import Glibc

/// The places in the code whose accesses of memory are steps, as text: a schedule means the same only with the same steps, so a saved run
/// carries them.
extension HostedProgram {
    /// Each as its distance from the one before, in hexadecimal digits.
    package var stepsText: String {
        var last = 0
        return places.map { place in
            defer { last = place }
            return String(place - last, radix: 16)
        }.joined(separator: ",")
    }

    private var places: [Int] { marked { $0 & UInt8(COMPILED_STEP) != 0 } }

    /// These and no others are steps from here on.
    ///
    /// - Returns: false if the text is none of this program's. Then nothing is changed.
    package func takeSteps(_ text: String) -> Bool {
        var places: [Int] = []
        for word in text.isEmpty ? [] : text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let distance = Int(word, radix: 16), distance >= 0 else { return false }
            let (place, isTooFar) = (places.last ?? 0).addingReportingOverflow(distance)
            guard !isTooFar, place < markCount else { return false }
            places.append(place)
        }
        pointer.pointee.shared_sites.update(repeating: 0, count: markCount)
        for place in places { pointer.pointee.shared_sites[place] = UInt8(COMPILED_STEP) }
        return true
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
