import CCompiled

/// Why a signal ends a compiled program: a wrong address, or an exception that nothing catches.
struct CrashReason {
    /// What the thread did, as the end of a sentence: `read through a null pointer, at address 0x8`.
    let text: String
    /// The address that it used. Nil: there is none, or it is not known.
    let address: UInt64?

    /// Nil: the signal says everything that is known.
    init?(_ request: compiled_request_t) {
        let use: String
        switch request.detail {
        case compiled_no_fault.rawValue:
            guard let exception = request.text.map({ String(cString: $0) }) else { return nil }
            (text, address) = (Self.words(ofException: exception), nil)
            return
        case compiled_impossible_address.rawValue:
            text =
                "used an address that the processor refuses: an impossible one, or one that is not aligned for the "
                + "instruction"
            address = nil
            return
        case compiled_bad_use.rawValue: use = "used memory"
        case compiled_bad_read.rawValue: use = "read"
        case compiled_bad_write.rawValue: use = "wrote"
        case compiled_bad_call.rawValue: use = "called a function"
        default: request.unknown()
        }
        address = request.object
        let number = "0x" + String(request.object, radix: 16)
        // A member of an object has an address a little above the object's own.
        text =
            request.object < SeenValues.reach
            ? "\(use) through a null pointer, at address \(number)"
            : "\(use) at address \(number), where it may not"
    }

    /// - Parameter exception: the mangled name of its type and, if it has one, a line break and its text.
    private static func words(ofException exception: String) -> String {
        let parts = exception.split(separator: "\n", maxSplits: 1)
        let type = CxxName.ofType(String(parts.first ?? ""))
        return "did not catch an exception: " + ([type] + parts.dropFirst().map(String.init)).joined(separator: ": ")
    }
}
