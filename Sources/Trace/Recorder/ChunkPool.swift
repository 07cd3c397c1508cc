import Synchronization

/// Allocates the chunks of a recording, without locks: first those that a reader has returned, then new ones.
struct ChunkPool {
    private typealias Layout = RecordingLayout

    let memory: RecordingMemory
    private let first: Int
    private let count: Int

    init(_ memory: RecordingMemory) {
        self.memory = memory
        first = RecordingLayout.chunks(size: memory.size)
        count = (memory.size - first) / RecordingLayout.Chunk.size
    }

    /// The offset of a chunk. Nil if no chunk has this number.
    func offset(of chunk: Int) -> Int? {
        chunk >= 0 && chunk < count ? first + chunk * RecordingLayout.Chunk.size : nil
    }

    /// Takes a chunk; nil while there is none.
    func take() -> Int? { takeReturned() ?? takeFresh() }

    /// Returns a chunk, for any lane to use.
    func giveBack(_ chunk: Int) {
        guard let offset = offset(of: chunk) else { return }
        let list = memory.word(Layout.Header.freeChunks)
        var head = list.pointee.load(ordering: .acquiring)
        while true {
            memory.store(offset + Layout.Chunk.next, head & 0xFFFF_FFFF)
            let new = (head >> 32 &+ 1) << 32 | UInt64(chunk + 1)
            let (done, found) = list.pointee.compareExchange(
                expected: head, desired: new, ordering: .acquiringAndReleasing)
            if done { return }
            head = found
        }
    }

    private func takeReturned() -> Int? {
        let list = memory.word(Layout.Header.freeChunks)
        var head = list.pointee.load(ordering: .acquiring)
        while let offset = offset(of: Int(head & 0xFFFF_FFFF) - 1) {
            // Another thread may take the chunk meanwhile, and write to this word: then the exchange fails.
            let next = memory.load(offset + Layout.Chunk.next) & 0xFFFF_FFFF
            let new = (head >> 32 &+ 1) << 32 | next
            let (done, found) = list.pointee.compareExchange(
                expected: head, desired: new, ordering: .acquiringAndReleasing)
            if done { return Int(head & 0xFFFF_FFFF) - 1 }
            head = found
        }
        return nil
    }

    private func takeFresh() -> Int? {
        let taken = memory.word(Layout.Header.chunksTaken)
        var number = taken.pointee.load(ordering: .relaxed)
        while number < UInt64(count) {
            let (done, found) = taken.pointee.compareExchange(
                expected: number, desired: number + 1, ordering: .acquiringAndReleasing)
            if done {
                let chunk = Int(number)
                let offset = first + chunk * Layout.Chunk.size
                guard memory.reserve(offset, Layout.Chunk.size) else { return nil }
                memory.populate(offset, Layout.Chunk.size)
                return chunk
            }
            number = found
        }
        return nil
    }
}
