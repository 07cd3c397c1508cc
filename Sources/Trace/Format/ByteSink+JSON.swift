import Text

extension ByteSink {
    /// Writes a JSON string. Terminal control characters are escaped, so that a trace is safe to view.
    package mutating func write(json text: String) {
        write(UInt8(ascii: "\""))
        if text.utf8.allSatisfy(\.isPlain) {
            write(text)
        } else {
            for scalar in text.unicodeScalars { write(escaping: scalar) }
        }
        write(UInt8(ascii: "\""))
    }

    /// Writes a JSON array.
    package mutating func write<Element>(array elements: [Element], _ write: (Element, inout ByteSink) -> Void) {
        self.write("[")
        for (index, element) in elements.enumerated() {
            if index > 0 { self.write(",") }
            write(element, &self)
        }
        self.write("]")
    }

    /// Writes a further member of a JSON object, whose value is an array.
    package mutating func write<Element>(
        member name: String, _ elements: [Element], _ write: (Element, inout ByteSink) -> Void
    ) {
        self.write(",\"\(name)\":")
        self.write(array: elements, write)
    }

    private mutating func write(escaping scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": write("\\\"")
        case "\\": write("\\\\")
        case "\n": write("\\n")
        case "\r": write("\\r")
        case "\t": write("\\t")
        case _ where scalar.isHazardous:
            // All of them are below U+10000, so one escape is enough.
            let digits = String(scalar.value, radix: 16)
            write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
        default: write(String(scalar))
        }
    }
}

extension UInt8 {
    /// Whether this byte can appear in a JSON string unescaped, as a whole character.
    fileprivate var isPlain: Bool {
        self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
