/// An amount of memory as people write it: `512 B`, `4.0 KB`, `1.5 MB`. 1 KB is 1,024 bytes.
package enum ReadableBytes {
    package static func text(_ bytes: Int64) -> String {
        switch bytes {
        case ..<1024: "\(bytes) B"
        case ..<1_048_576: "\(decimal(bytes, 1024)) KB"
        case ..<1_073_741_824: "\(decimal(bytes, 1_048_576)) MB"
        default: "\(decimal(bytes, 1_073_741_824)) GB"
        }
    }

    /// With one decimal place, rounded down.
    private static func decimal(_ bytes: Int64, _ unit: Int64) -> String {
        "\(bytes / unit).\(bytes % unit * 10 / unit)"
    }
}
