import Foundation
import Trace

/// Names an object to which the program gives no name, after the variable in which the object is stored. If
/// `let lock = NSLock()` is a property of `Merge`, each lock that it makes is called `Merge.lock`.
enum CreatedObject {
    typealias Call = TraceDocument.Site.Call

    /// - Parameter calls: the calls that made it, the innermost first.
    /// - Returns: for example `Merge.lock`, `lock`, `mutex of Merge`. Nil: only the place of its creation is known.
    static func name(_ kind: ObjectKind, _ calls: [Call]) -> String? {
        // The outermost of the initializers in progress: a lock inside another lock object is named after the variable
        // of that object.
        guard let maker = calls.prefix(while: \.isOfInitializer).last else { return calls.first?.madeVariable }
        if maker.initializesVariable {
            let name = maker.function.dropFirst(FunctionName.variable.count)
            let staticWord = FunctionName.staticWord
            return String(name.hasPrefix(staticWord) ? name.dropFirst(staticWord.count) : name)
        }
        guard let type = maker.initializedType else { return nil }
        return maker.madeVariable.map { "\(type).\($0)" } ?? "\(kind.defaultName) of \(type)"
    }

    /// Whether the call is an initializer or an initial value, so that its caller may be making an enclosing object.
    static func needsCaller(_ call: Call) -> Bool { call.isOfInitializer }

    /// The call that best describes where the object was made.
    static func origin(_ calls: [Call]) -> Call? { calls.prefix(while: \.isOfInitializer).last ?? calls.first }
}

extension TraceDocument.Site.Call {
    fileprivate var isOfInitializer: Bool { initializesVariable || initializedType != nil }

    /// Whether it is the code that computes the initial value of a stored property.
    fileprivate var initializesVariable: Bool { function.hasPrefix(FunctionName.variable) }

    /// The type whose initializer it is. Nil: it is not an initializer.
    fileprivate var initializedType: String? {
        guard let end = function.firstRange(of: ".__allocating_init(") ?? function.firstRange(of: ".init("),
            !function.hasPrefix("a closure")
        else { return nil }
        return String(function[..<end.lowerBound])
    }

    /// The name of the variable that the line declares: `lock` for `let lock = NSLock()`. Nil: the line has another
    /// form, or is not on this machine.
    fileprivate var madeVariable: String? {
        guard let text = try? String(contentsOfFile: file, encoding: .utf8) else { return nil }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        guard lines.indices.contains(line - 1) else { return nil }
        let declaration = /^(?:.*\s)?(?:let|var)\s+(\w+)\s*(?::[^=]*)?=\s*(?:\w+\.)*[A-Z]\w*(?:<[^>]*>)?\(.*$/
        return lines[line - 1].wholeMatch(of: declaration).map { String($0.output.1) }
    }
}
