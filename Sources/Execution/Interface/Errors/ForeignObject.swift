import Trace

/// A primitive is used in another run, or another execution, than the one in which it was made: it means nothing there.
struct ForeignObject: Error, CustomStringConvertible {
    /// What it is, and where it was made, if that is known.
    private var what: String?

    init() {}

    init(_ kind: ObjectKind?, madeAt site: SourceSite) {
        let kind = kind.map { $0 == .part ? "part of an object" : $0.rawValue } ?? "primitive"
        guard let place = site.place else { return }
        let article = kind.first.map("aeiou".contains) == true ? "an" : "a"
        what = "\(article) \(kind) that was created at \(place),"
    }

    var description: String {
        let what = what ?? "a primitive that was created"
        return "\(what) outside this execution is used in it: create it in the code that is run. If a global or static "
            + "variable keeps it, give that a new value at the beginning, because its initializer runs only once in the "
            + "process"
    }

    /// A shared instance, for the same reason as `RunEnded`'s.
    static let error: any Error = ForeignObject()
}

extension SourceSite {
    /// `File.swift:12`, for a file that the program itself contains the name of.
    fileprivate var place: String? {
        guard fileText == nil, let name = UnsafePointer<CChar>(bitPattern: fileAddress) else { return nil }
        let path = String(cString: name)
        return "\(path.split(separator: "/").last.map(String.init) ?? path):\(line)"
    }
}
