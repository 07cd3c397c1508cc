import Arguments
import Glibc
import Trace

/// Where a trace is saved: known to be possible, as far as one can tell, before anything is run.
struct TraceDestination {
    let file: NewFile

    /// - Parameter path: as the user gave it. A link is followed, and what is no file is left alone.
    init(_ path: String) throws(Complaint) {
        func refuse(_ reason: String) -> Complaint {
            Complaint("cannot save the trace in '\(path.printable)': \(reason)", .failure)
        }
        var status = stat()
        if stat(path, &status) == 0 {
            switch status.st_mode & S_IFMT {
            case S_IFREG: break
            case S_IFDIR: throw refuse("it is a directory")
            default: throw refuse("it is no file; '--format json' prints the same")
            }
        }
        file = NewFile(following: path)
    }

    /// The run's recording while it goes on: what is left if threadlab itself is killed.
    var recordingPath: String { "\(file.path).recording" }

    func save(_ trace: TraceDocument) throws(Complaint) {
        try file.write { TraceWriter.write(trace, to: &$0) }
    }
}
