import LabSyntax

/// What a name stands for that is declared outside of threads.
enum Global: Hashable {
    case parameter(Int)
    case object(Int)
    case thread(Int)
    case function(Int)
}
