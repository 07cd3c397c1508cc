import Text

extension ByteSink {
    /// Writes a JSON object with the members that the closure writes:
    ///
    ///     sink.writeObject { json in
    ///         json.member("name", name)
    ///         json.objects("threads", threads) { thread, json in json.member("name", thread.name) }
    ///     }
    ///
    /// Brackets and commas are written by these methods, so the output is always a complete value.
    package mutating func writeObject(_ write: (inout JSONObject) -> Void) {
        self.write(UInt8(ascii: "{"))
        withUnsafeMutablePointer(to: &self) { sink in
            var object = JSONObject(parts: JSONParts(sink: sink, separator: ","))
            write(&object)
        }
        self.write(UInt8(ascii: "}"))
    }

    /// Writes a line of JSON Lines: an object.
    package mutating func writeLine(_ write: (inout JSONObject) -> Void) {
        writeObject(write)
        endLine()
    }

    /// Writes a JSON array with the elements that the closure writes.
    ///
    /// - Parameter separator: a comma, perhaps with white space.
    package mutating func writeArray(separator: String = ",", _ write: (inout JSONArray) -> Void) {
        self.write(UInt8(ascii: "["))
        withUnsafeMutablePointer(to: &self) { sink in
            var array = JSONArray(parts: JSONParts(sink: sink, separator: separator))
            write(&array)
        }
        self.write(UInt8(ascii: "]"))
    }
}

/// The members of a JSON object that is being written.
package struct JSONObject: ~Copyable {
    fileprivate var parts: JSONParts

    /// Writes a member, unless its value is nil.
    package mutating func member(_ name: StaticString, _ value: (some JSONScalar)?) {
        guard let value else { return }
        begin(name)
        value.write(json: &parts.sink.pointee)
    }

    /// Writes a member whose name is not fixed by the format.
    package mutating func member(named name: String, _ value: some JSONScalar) {
        begin(named: name)
        value.write(json: &parts.sink.pointee)
    }

    package mutating func object(_ name: StaticString, _ write: (inout JSONObject) -> Void) {
        begin(name)
        parts.sink.pointee.writeObject(write)
    }

    package mutating func object(named name: String, _ write: (inout JSONObject) -> Void) {
        begin(named: name)
        parts.sink.pointee.writeObject(write)
    }

    package mutating func array(_ name: StaticString, separator: String = ",", _ write: (inout JSONArray) -> Void) {
        begin(name)
        parts.sink.pointee.writeArray(separator: separator, write)
    }

    /// Writes an array of scalar values.
    package mutating func array(_ name: StaticString, _ elements: some Sequence<some JSONScalar>) {
        array(name) { json in for element in elements { json.element(element) } }
    }

    /// Writes an array of objects, one for each element.
    package mutating func objects<Elements: Sequence>(
        _ name: StaticString, _ elements: Elements, _ write: (Elements.Element, inout JSONObject) -> Void
    ) {
        array(name) { json in for element in elements { json.object { write(element, &$0) } } }
    }

    /// - Parameter name: a word of the format, which needs no escapes.
    private mutating func begin(_ name: StaticString) {
        parts.next()
        parts.sink.pointee.write(UInt8(ascii: "\""))
        parts.sink.pointee.write(name)
        parts.sink.pointee.write(UInt8(ascii: "\""))
        parts.sink.pointee.write(UInt8(ascii: ":"))
    }

    private mutating func begin(named name: String) {
        parts.next()
        name.write(json: &parts.sink.pointee)
        parts.sink.pointee.write(UInt8(ascii: ":"))
    }
}

/// The elements of a JSON array that is being written.
package struct JSONArray: ~Copyable {
    fileprivate var parts: JSONParts

    package mutating func element(_ value: some JSONScalar) {
        parts.next()
        value.write(json: &parts.sink.pointee)
    }

    package mutating func object(_ write: (inout JSONObject) -> Void) {
        parts.next()
        parts.sink.pointee.writeObject(write)
    }

    package mutating func array(_ write: (inout JSONArray) -> Void) {
        parts.next()
        parts.sink.pointee.writeArray(write)
    }

    package mutating func array(_ elements: some Sequence<some JSONScalar>) {
        array { json in for element in elements { json.element(element) } }
    }

    /// Ends the line, before the first element or after the last.
    package mutating func endLine() { parts.sink.pointee.endLine() }
}

/// Separates the members of an object, or the elements of an array, that are being written.
private struct JSONParts: ~Copyable {
    /// Valid while the closure that writes the members or elements runs. The closure cannot keep it, since this
    /// structure cannot be copied.
    let sink: UnsafeMutablePointer<ByteSink>
    let separator: String
    private var isEmpty = true

    init(sink: UnsafeMutablePointer<ByteSink>, separator: String) {
        self.sink = sink
        self.separator = separator
    }

    /// Begins the next member or element.
    mutating func next() {
        if !isEmpty { sink.pointee.write(separator) }
        isEmpty = false
    }
}

// MARK: - Scalar values

/// A JSON value that is neither an object nor an array.
package protocol JSONScalar {
    func write(json sink: inout ByteSink)
}

/// A value that is already in JSON form, such as a number with a fixed number of decimal places.
package struct JSONText: JSONScalar {
    private let text: String

    package init(_ text: String) { self.text = text }

    /// A string in quotation marks, with escapes; for a string that is written repeatedly.
    package init(quoting text: String) { self.text = ByteSink.collect { text.write(json: &$0) } }

    package static let null = JSONText("null")

    package func write(json sink: inout ByteSink) { sink.write(text) }
}

extension Bool: JSONScalar {
    package func write(json sink: inout ByteSink) { sink.write(self ? "true" : "false") }
}

extension JSONScalar where Self: FixedWidthInteger {
    package func write(json sink: inout ByteSink) { sink.write(decimal: self) }
}

extension Int: JSONScalar {}
extension Int64: JSONScalar {}
extension UInt16: JSONScalar {}
extension UInt32: JSONScalar {}
extension UInt64: JSONScalar {}

extension Double: JSONScalar {
    package func write(json sink: inout ByteSink) { sink.write(description) }
}

extension String: JSONScalar {
    /// Escapes terminal control characters, so that a trace is safe to view.
    package func write(json sink: inout ByteSink) {
        sink.write(UInt8(ascii: "\""))
        if utf8.allSatisfy(\.isPlain) {
            sink.write(self)
        } else {
            for scalar in unicodeScalars { sink.write(escaping: scalar) }
        }
        sink.write(UInt8(ascii: "\""))
    }
}

extension ByteSink {
    fileprivate mutating func write(escaping scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": write("\\\"")
        case "\\": write("\\\\")
        case "\n": write("\\n")
        case "\r": write("\\r")
        case "\t": write("\\t")
        case _ where scalar.isHazardous:
            for unit in scalar.utf16 {
                let digits = String(unit, radix: 16)
                write("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
            }
        default: write(String(scalar))
        }
    }
}

extension UInt8 {
    /// Whether this byte is a whole character that needs no escape in a JSON string.
    fileprivate var isPlain: Bool {
        self >= 0x20 && self < 0x7F && self != UInt8(ascii: "\"") && self != UInt8(ascii: "\\")
    }
}
