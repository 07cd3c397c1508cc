import Glibc

/// Zeroed memory shared with forked processes. A page uses no memory before it is touched.
final class SharedMemory: @unchecked Sendable {
    let bytes: UnsafeMutableRawBufferPointer

    /// - Parameter purpose: what the memory is for, for error messages.
    init(size: Int, for purpose: String) throws(SupervisionFailed) {
        let address = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
        guard let address, address != MAP_FAILED else {
            throw SupervisionFailed("cannot allocate memory for \(purpose): \(String(cString: strerror(errno)))")
        }
        bytes = UnsafeMutableRawBufferPointer(start: address, count: size)
    }

    deinit { munmap(bytes.baseAddress, bytes.count) }
}
