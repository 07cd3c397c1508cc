import Glibc

/// The libraries that the program's process has loaded: those it was linked with, what they need, and `LD_PRELOAD`.
///
/// A library's code may run although the program calls none of its functions: its constructors may start threads, and
/// its symbols may replace others.
enum LoadedLibraries {
    /// The files of the C and C++ libraries, whose functions are judged one by one where the program uses them
    /// (`KnownFunctions`), and of the kernel.
    private static let known: Set<String> = [
        "libc.so.6", "libm.so.6", "libpthread.so.0", "libdl.so.2", "librt.so.1", "libgcc_s.so.1", "libstdc++.so.6",
        "libatomic.so.1",
        "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1", "linux-vdso.so.1",
    ]

    /// The name of the first library that is neither a known one nor one of these files. Nil: there is none.
    static func firstUnknown(besides files: [ProgramFile]) -> String? {
        loaded.first { library in
            !known.contains(library.name) && !files.contains { $0.loadOffset == library.loadOffset }
        }?.name
    }

    /// The libraries' file names without folders, and their load offsets: an address in memory minus the same address
    /// in the file. The engine's own libraries are in another namespace, so they are not included.
    private static var loaded: [(name: String, loadOffset: UInt64)] {
        // The list of the dynamic linker, as debuggers read it: `r_debug` and `link_map` of <link.h>.
        guard let list = dlsym(nil, "_r_debug") else {
            preconditionFailure("the linker has no list of what it has loaded")
        }
        var loaded: [(name: String, loadOffset: UInt64)] = []
        // `r_map`, and in each entry `l_addr`, `l_name` (at 8) and `l_next` (at 24).
        var next = list.load(fromByteOffset: 8, as: UnsafeRawPointer?.self)
        while let entry = next {
            next = entry.load(fromByteOffset: 24, as: UnsafeRawPointer?.self)
            // The entry of the program itself has an empty name.
            guard let name = entry.load(fromByteOffset: 8, as: UnsafePointer<CChar>?.self), name.pointee != 0 else {
                continue
            }
            loaded.append(
                (String(String(cString: name).split(separator: "/").last ?? ""), entry.load(as: UInt64.self)))
        }
        return loaded
    }
}
