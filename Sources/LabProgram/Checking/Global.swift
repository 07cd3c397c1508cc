import LabSyntax

/// What a name declared outside of threads refers to.
enum Global: Hashable {
    case parameter(Int)
    case object(Int)
    case thread(Int)
    case function(Int)
}
