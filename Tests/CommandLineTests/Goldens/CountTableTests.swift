import Support
import Testing

/// Tables of counts in documents: `make goldens` writes them after the data.
@Suite(.serialized) struct CountTableTests {
    @Test(arguments: CountTable.all) func `a document has the table that the data give`(table: CountTable) throws {
        let document = try #require(Repository.text(of: CountTable.document))
        let placed = try #require(table.placed(in: document), "\(CountTable.document) has no place for '\(table.name)'")
        try Goldens.compare(CountTable.document, placed)
    }
}
