import CLab
import Machine
import Trace

/// A thread that does not belong to a run was about to use an object of it, and is refused: the lab has not started the
/// thread. The scheduler decides the steps of its own threads only, so the steps of such a thread would be in no schedule.
/// Nor could a run on real threads be diagnosed: until the thread's first use of an object, a wait that it is going to end
/// looks endless.
package struct ForeignThread: Error, CustomStringConvertible {
    /// 0: an object of an earlier execution.
    let object: UInt32
    package let operation: String
    package let site: SourceSite

    init(_ operation: Operation, on object: UInt32, at site: SourceSite) {
        self.object = object
        self.operation = "\(operation.kind)"
        self.site = site
    }

    /// Without its full stop.
    package var sentence: String { ForeignThreadWords.sentence("an object of it") + place }

    package var description: String { "\(sentence). \(ForeignThreadWords.advice)" }

    /// ` at FILE:LINE`, or empty.
    private var place: String {
        guard site.fileText == nil, let name = UnsafePointer<CChar>(bitPattern: site.fileAddress) else { return "" }
        return " at \(String(cString: name)):\(site.line)"
    }

    /// After this number of refused operations a thread is ended: it might try forever. But any number of objects that
    /// are left of a run may be released on the same thread.
    private static let patience = 1000

    /// Called for each refused operation of a run.
    static func endIfPersistent(_ refusals: Int) {
        if refusals > patience && !Belated.isDeinit { clab_end_thread() }
    }
}

extension ThreadID {
    /// A thread that is none of the run's.
    static let foreign = ThreadID(Int(UInt16.max))
}
