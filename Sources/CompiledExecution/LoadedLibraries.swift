import Glibc

/// The libraries that the program's process has loaded: those it was linked with, what they need, and `LD_PRELOAD`.
///
/// Code of a library runs though the program calls none of its functions: its constructors may start threads, and a symbol of it may take
/// the place of another one.
enum LoadedLibraries {
    /// Of the C and C++ libraries, of which the program's imports are judged one by one; and of the kernel.
    private static let known: Set<String> = [
        "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libgcc_s.so.1", "libstdc++.so.6",
        "libatomic.so.1",
        "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "linux-vdso.so.1",
    ]

    /// The name of the first other one. Nil: there is none.
    static var firstUnknown: String? { names.first { !known.contains($0) } }

    /// Their files, without folders. The engine's own are in a namespace of their own, and are not among them.
    private static var names: [String] {
        // The linker's list, as debuggers read it: `r_debug` and `link_map` of <link.h>.
        guard let list = dlsym(nil, "_r_debug") else {
            preconditionFailure("the linker has no list of what it has loaded")
        }
        var names: [String] = []
        var next = list.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        while let entry = next {
            next = entry.load(fromByteOffset: 24, as: UnsafeRawPointer?.self)
            guard let name = entry.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self), name.pointee != 0 else {
                continue
            }
            names.append(String(String(cString: name).split(separator: "/").last ?? ""))
        }
        return names
    }
}
