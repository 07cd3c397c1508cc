import Machine
import Trace

/// An object of a run: an element of a declared one, or a part of a built one.
struct CompiledObject {
    var kind: ObjectState.Kind
    var shown: ObjectKind
    var name: String
    var value: Int
    var line: Int
}
