/// Reads the names and texts that `NameArea` wrote, without trusting them.
struct NameReader {
    private let memory: RecordingMemory
    /// The offset of the area's end.
    private let end: Int
    /// The offset of the first record that has not been read.
    private var next = RecordingLayout.names
    /// The offsets of records that were claimed but not complete when the reader passed them.
    private var unfinished: [Int] = []
    /// For the offset of a text's record, the text's index in the document.
    private var texts: [Int64: Int64] = [:]
    /// The remarks by their numbers in the recording.
    private var remarks: [UInt8: Remark] = [:]
    /// For a remark's number in the recording, its number in the document.
    private var remarkIDs: [UInt8: RemarkID] = [:]
    /// Greater numbers of objects are invalid.
    private static let objectLimit: UInt64 = 1 << 20

    /// What was run, according to the recording.
    private(set) var run: TraceHeader?

    /// For the numbers of objects, their initial values, unless these are 0.
    private(set) var initialValues: [UInt32: Int] = [:]

    init(memory: RecordingMemory) {
        self.memory = memory
        end = RecordingLayout.chunks(size: memory.size)
    }

    /// Adds the threads and objects that were declared since the last time.
    mutating func readNew(into document: inout TraceDocument) {
        let waiting = unfinished
        unfinished = []
        for offset in waiting { read(offset, into: &document) }
        while memory.contains(next, NameArea.headerSize), next + NameArea.headerSize <= end {
            let size = Int(memory.load(next) >> 8 & 0xFFFF_FFFF)
            guard size >= NameArea.headerSize, size % NameArea.alignment == 0, next + size <= end else { return }
            read(next, into: &document)
            next += size
        }
    }

    /// The text to which an event refers.
    func text(_ reference: Int64) -> String? {
        guard let offset = Int(exactly: reference), offset >= RecordingLayout.names,
            offset % NameArea.alignment == 0, memory.contains(offset, NameArea.headerSize),
            offset + NameArea.headerSize <= end,
            memory.load(offset) & 0xFF == NameArea.RecordType.text.rawValue
        else { return nil }
        return words(at: offset)
    }

    /// The document's index of the text to which an event refers. −1: there is none.
    mutating func index(of reference: Int64, in document: inout TraceDocument) -> Int64 {
        if let known = texts[reference] { return known }
        guard let text = text(reference) else { return -1 }
        let index = Int64(document.texts.count)
        document.texts.append(text)
        texts[reference] = index
        return index
    }

    /// The document's number of a remark, given its number in the recording. None: the recording has no words for it.
    mutating func id(ofRemark number: UInt8, in document: inout TraceDocument) -> RemarkID {
        if let known = remarkIDs[number] { return known }
        guard let remark = remarks[number] else { return .none }
        let id = document.number(of: remark)
        remarkIDs[number] = id
        return id
    }

    /// The text of a record. Nil: it is not complete, or invalid.
    private func words(at offset: Int) -> String? {
        let length = Int(memory.load(offset + NameArea.Field.textLength) & 0xFFFF_FFFF) - 1
        guard length >= 0, length <= NameArea.longestText, memory.contains(offset + NameArea.headerSize, length),
            offset + NameArea.headerSize + length <= end
        else { return nil }
        let bytes = UnsafeRawBufferPointer(start: memory.base + offset + NameArea.headerSize, count: length)
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Reads the record at this offset.
    private mutating func read(_ offset: Int, into document: inout TraceDocument) {
        guard let type = NameArea.RecordType(rawValue: memory.load(offset) & 0xFF) else { return }
        if type == .text { return }
        guard let words = words(at: offset) else {
            unfinished.append(offset)
            return
        }
        if type == .run {
            run = try? TraceReader.read(Array(words.utf8)).header
            return
        }
        let id = memory.load(offset + NameArea.Field.id)
        if type == .remark {
            guard let number = UInt8(exactly: id) else { return }
            remarks[number] = remarks[number] ?? Remark(record: words)
        } else if type == .thread {
            guard id <= UInt64(UInt16.max) else { return }
            while document.threads.count <= Int(id) {
                document.threads.append(.init(name: "thread \(document.threads.count)"))
            }
            document.threads[Int(id)].name = words
        } else if type == .target {
            guard document.targets.count < Self.objectLimit else { return }
            document.targets[Int64(bitPattern: memory.load(offset + NameArea.Field.value))] = words
        } else if type == .part {
            guard let owner = UInt32(exactly: memory.load(offset + NameArea.Field.value)),
                id < UInt64(document.objects.count)
            else { return }
            document.objects[Int(id)]?.owner = ObjectID(Int(owner))
        } else {
            // An object.
            guard id > 0, id < Self.objectLimit, let object = Self.object(words) else { return }
            while document.objects.count <= Int(id) { document.objects.append(nil) }
            document.objects[Int(id)] = object
            let value = Int(truncatingIfNeeded: memory.load(offset + NameArea.Field.value))
            if object.kind == .semaphore {
                // A negative number stands for one that is not known.
                guard TraceDocument.Object.permits.contains(value) else { return }
                document.objects[Int(id)]?.permits = value
            }
            if value != 0 { initialValues[UInt32(id)] = value }
        }
    }

    /// An object from the text of its record: the kind, the creating thread and the name, separated by null characters.
    private static func object(_ words: String) -> TraceDocument.Object? {
        let parts = words.split(separator: "\u{0}", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let kind = ObjectKind(rawValue: String(parts[0])), let maker = UInt16(parts[1]) else {
            return nil
        }
        return .init(kind: kind, name: String(parts[2]), maker: ThreadID(Int(maker)))
    }
}
