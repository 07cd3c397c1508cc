/// The limits of files for other viewers. Longer ones are written in part, which the command reports.
package enum ExportLimits {
    /// The limit of a log or a trace for another viewer, in bytes.
    package static let bytes = 1 << 28
    /// The limit of a drawing, in rows, even if all are requested.
    static let rows = 20_000
}
