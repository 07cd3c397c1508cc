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

    /// The name of the first that is neither one of those nor one of these files. Nil: there is none.
    static func firstUnknown(besides files: [ProgramFile]) -> String? {
        loaded.first { library in
            !known.contains(library.name) && !files.contains { $0.offset == library.offset }
        }?.name
    }

    /// Their files' names, without folders, and what is added to the files' addresses. The engine's own are in a namespace of their own, and
    /// are not among them.
    private static var loaded: [(name: String, offset: UInt64)] {
        // The linker's list, as debuggers read it: `r_debug` and `link_map` of <link.h>.
        guard let list = dlsym(nil, "_r_debug") else {
            preconditionFailure("the linker has no list of what it has loaded")
        }
        var loaded: [(name: String, offset: UInt64)] = []
        var next = list.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        while let entry = next {
            next = entry.load(fromByteOffset: 24, as: UnsafeRawPointer?.self)
            guard let name = entry.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self), name.pointee != 0 else {
                continue
            }
            loaded.append(
                (String(String(cString: name).split(separator: "/").last ?? ""), entry.load(as: UInt64.self)))
        }
        return loaded
    }
}
