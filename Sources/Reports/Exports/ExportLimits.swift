/// The limits of exported files. A run that would exceed one is written in part.
package enum ExportLimits {
    /// The limit of a log or a trace for another viewer, in bytes.
    package static let bytes = 1 << 28
    /// The limit of a drawing, in rows, even if the user requests all rows.
    static let rows = 20_000
}
