import Arguments
import Console
import Course
import Glibc
import Supervision
import Text
import Trace

/// The options of commands that can build and run Swift code of a course or a learner. Only these options can create a
/// bench, so nothing is built without the user's request.
struct SwiftOptions: OptionGroup {
    let swift: Listed<Bool>
    let checkout: Listed<String?>

    init(_ list: inout OptionList) {
        swift = list.flag(
            "swift",
            "Judge what is in Swift too: it is built and run, and can do what you can, so do it in a container if it is not yours"
        )
        checkout = list.text(
            "checkout", placeholder: "FOLDER", "The folder of threadlab's sources, with which Swift is built")
    }
}

extension TypedArguments<SwiftOptions> {
    /// The bench that builds Swift code. Nil: the user has not asked for it.
    func bench() throws(Complaint) -> PackageBench? {
        guard self.swift else {
            if self.checkout != nil {
                throw Complaint("\(options.checkout.spelling) is for what is in Swift: add \(options.swift.spelling)")
            }
            return nil
        }
        let named = try self.checkout.map { path throws(Complaint) in try Checkout(path) }
        guard let sources = named ?? Checkout.own else {
            throw Complaint(
                "Swift is built with threadlab's sources: name their folder with \(options.checkout.spelling)")
        }
        return try PackageBench(sources)
    }
}

/// Builds and tests exercises in Swift, in a package in the user's cache folder. The package contains only the files of
/// the exercise that is being judged. So threadlab, on which it depends, is built once for all exercises, and the
/// learner's other files do not matter.
struct PackageBench: SwiftBench {
    /// The folder of threadlab's sources.
    private let checkout: String
    /// The folder of the package.
    private let folder: String

    /// The limits for a build. The first one builds threadlab, which takes a minute or two.
    private static let building = ProgramOutput.Limits(bytes: 1 << 22, time: .seconds(1800))
    /// The limits for a run of the tests.
    private static let testing = ProgramOutput.Limits(bytes: 1 << 18, time: .seconds(60))
    /// The name of the exercise's folder in the package.
    private static let part = "exercise"

    /// - Parameter checkout: the folder of threadlab's sources.
    fileprivate init(_ checkout: Checkout) throws(Complaint) {
        self.checkout = checkout.path
        folder = try Self.cache() + "/threadlab/exercises"
    }

    /// The user's folder for caches.
    private static func cache() throws(Complaint) -> String {
        for (variable, suffix) in [("XDG_CACHE_HOME", ""), ("HOME", "/.cache")] {
            guard let value = getenv(variable).map({ String(cString: $0) }), value.isAbsolutePath else { continue }
            return value + suffix
        }
        throw Complaint(
            "exercises in Swift are built in your folder for caches: neither XDG_CACHE_HOME nor HOME names one")
    }

    /// Builds the exercise with this submission, and runs its tests.
    func test(_ submission: [UInt8], of exercise: Exercise) throws -> SwiftTestRun {
        let part = SwiftPackageText.Part(exercise, folder: Self.part)
        let files = part.files
        try makeFolder(folder)
        // Programs from an earlier build are run, so no other user may be able to write to the folder.
        for trusted in [String(folder.dropLast("/exercises".count)), folder] {
            try Owner.require(of: trusted, "a cache", orElse: "remove it, or name another with XDG_CACHE_HOME")
        }
        let lock = try FolderLock(folder)
        defer { lock.release() }
        let isFirst = access("\(folder)/.build", F_OK) != 0
        try write(Array(SwiftPackageText([part], checkout: checkout).manifest.utf8), "Package.swift")
        try write(submission, files.submission, alone: true)
        try write(Array(exercise.tests.utf8), files.tests, alone: true)
        if isFirst {
            // Fails if there is no compiler, before a build is announced.
            _ = try run(["swift", "--version"], Self.testing)
            StandardError.write("Building threadlab for your exercises, once: this takes a minute or two.\n")
        }
        let build = try run(["swift", "build", "--build-tests"], Self.building)
        guard build.end == .exit(0) else { return SwiftTestRun(build: build, tests: nil) }
        let program = ".build/debug/exercisesPackageTests.xctest"
        return SwiftTestRun(
            build: build, tests: try run([program, "--testing-library", "swift-testing"], Self.testing))
    }

    private func run(_ words: [String], _ limits: ProgramOutput.Limits) throws(Complaint) -> ProgramOutput {
        // Variables that the user has set for other tests, such as a schedule to replay, would change these tests.
        let own = ["THREADLAB_", "NO_COLOR=", "SWIFT_BACKTRACE="]
        let variables = Self.variables.filter { variable in !own.contains { variable.hasPrefix($0) } }
        do {
            return try ProgramOutput(
                of: words, in: folder, environment: variables + ["NO_COLOR=1", "SWIFT_BACKTRACE=enable=no"], limits)
        } catch {
            if error.number == ENOENT {
                throw Complaint("an exercise in Swift needs a Swift toolchain: there is no program 'swift' in PATH")
            }
            throw Complaint("cannot run '\(words[0])': \(error.reason)", .failure)
        }
    }

    private static var variables: [String] {
        var texts: [String] = []
        var place = environ
        while let text = place.pointee {
            texts.append(String(cString: text))
            place += 1
        }
        return texts
    }

    // MARK: - Files

    /// Writes a file, unless it has this content already: each file that is written is compiled by the next build.
    ///
    /// - Parameter alone: whether other Swift files in its folder, which belong to other exercises, are removed.
    private func write(_ content: [UInt8], _ file: String, alone: Bool = false) throws(Complaint) {
        let path = "\(folder)/\(file)"
        let place = path.folderOfPath!
        try makeFolder(place)
        if alone {
            var others = LabSearch(suffixes: [".swift"])
            others.add(place)
            for other in others.files where other != path { unlink(other) }
        }
        if let old = try? InputFile(path).content(upTo: content.count + 1), old == content { return }
        try NewFile(path: path).write { $0.write(content) }
    }

    /// Creates the folder, and the folders around it.
    private func makeFolder(_ path: String) throws(Complaint) {
        var made = ""
        for part in path.namesOfPath {
            made += "/" + part
            guard mkdir(made, 0o755) != 0, errno != EEXIST else { continue }
            throw Complaint("cannot create the folder \(made.printable): \(String(cString: strerror(errno)))")
        }
    }
}

/// A folder with threadlab's sources.
struct Checkout {
    /// The absolute path, with links resolved.
    let path: String

    /// - Parameter path: the path that the user gave.
    init(_ path: String) throws(Complaint) {
        guard let whole = Self.whole(path) else {
            throw Complaint("'\(path.printable)' does not have threadlab's sources: there is no Package.swift in it")
        }
        self.path = whole
    }

    /// The sources of this program, if it is still where it was built. Nil: it is not.
    static var own: Checkout? {
        guard let executable = realpath("/proc/self/exe", nil) else { return nil }
        defer { free(executable) }
        let parts = String(cString: executable).namesOfPath
        guard let build = parts.lastIndex(where: { $0.hasPrefix(".build") }) else { return nil }
        let path = "/" + parts[..<build].joined(separator: "/")
        guard access(path + "/Sources/ThreadLabTesting", F_OK) == 0 else { return nil }
        return try? Checkout(path)
    }

    /// The absolute path, with links resolved. Nil: there is no package, or the path cannot be written in a manifest.
    private static func whole(_ path: String) -> String? {
        guard let whole = realpath(path, nil) else { return nil }
        defer { free(whole) }
        let text = String(cString: whole)
        let fitsManifest = !text.unicodeScalars.contains(where: \.isHazardous)
        return fitsManifest && access(text + "/Package.swift", F_OK) == 0 ? text : nil
    }
}

/// A lock on a folder, so that only one process at a time builds in it. Waits until no other process has the lock.
private struct FolderLock {
    private let descriptor: Int32

    init(_ folder: String) throws(Complaint) {
        descriptor = open("\(folder)/lock", O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else {
            throw Complaint("cannot work in \(folder.printable): \(String(cString: strerror(errno)))")
        }
        while flock(descriptor, LOCK_EX) != 0 && errno == EINTR {}
    }

    func release() { close(descriptor) }
}
