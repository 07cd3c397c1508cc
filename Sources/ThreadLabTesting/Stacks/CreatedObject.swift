import Foundation
import Trace

/// What an object is called to which the program gives no name: after the variable that it was made for.
enum CreatedObject {
    typealias Call = TraceDocument.Site.Call

    /// - Parameter calls: those that made it, the innermost first.
    /// - Returns: for example `Merge.lock`, `lock`, `mutex of Merge`. Nil: nothing is known of it but where it was made.
    static func name(_ kind: ObjectKind, _ calls: [Call]) -> String? {
        // A lock inside another class that serves as one is named after the outer one's variable.
        guard let maker = calls.prefix(while: \.isOfInitializer).last else { return calls.first?.madeVariable }
        if maker.initializesVariable {
            let name = maker.function.dropFirst(FunctionName.variable.count)
            return String(name.hasPrefix("static ") ? name.dropFirst(7) : name)
        }
        guard let type = maker.initializedType else { return nil }
        return maker.madeVariable.map { "\(type).\($0)" } ?? "\(kind.defaultName) of \(type)"
    }

    /// Whether the call is part of the making of a greater object.
    static func isMadeFurtherOut(_ call: Call) -> Bool { call.isOfInitializer }

    /// The call that says most about where it was made.
    static func origin(_ calls: [Call]) -> Call? { calls.prefix(while: \.isOfInitializer).last ?? calls.first }
}

extension TraceDocument.Site.Call {
    fileprivate var isOfInitializer: Bool { initializesVariable || initializedType != nil }

    /// Whether it gives a stored property its first value.
    fileprivate var initializesVariable: Bool { function.hasPrefix(FunctionName.variable) }

    /// The type whose initializer it is. Nil: it is none.
    fileprivate var initializedType: String? {
        guard let end = function.firstRange(of: ".__allocating_init(") ?? function.firstRange(of: ".init("),
            !function.hasPrefix("a closure")
        else { return nil }
        return String(function[..<end.lowerBound])
    }

    /// `lock` where the line is `let lock = NSLock()`. Nil: the line is of another form, or not on this machine.
    fileprivate var madeVariable: String? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return nil }
        let declaration = /^(?:.*\s)?(?:let|var)\s+(\w+)\s*(?::[^=]*)?=\s*(?:\w+\.)*[A-Z]\w*(?:<[^>]*>)?\(.*$/
        return lines[line - 1].wholeMatch(of: declaration).map { String($0.output.1) }
    }
}
