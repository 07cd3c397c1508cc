/// Where a test calls the library: failures are reported there.
struct CallPlace {
    let fileID: StaticString
    let filePath: StaticString
    let line: UInt
    let column: UInt
    let function: StaticString
}
