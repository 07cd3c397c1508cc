/// A file of the program that was run.
package struct PageFile {
    /// As the trace's sites name it.
    package let name: String
    package let text: String

    package init(name: String, text: String) {
        self.name = name
        self.text = text
    }
}
