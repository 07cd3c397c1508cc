import Testing

@testable import CompiledExecution

/// Which variables a failed assertion of C names.
@Suite struct AssertedValuesTests {
    @Test(arguments: [
        ("count == 2", "count", 0),
        ("end.count == 2", "end.count", 0),
        ("x > 1 && thr->in != NULL", "thr->in", 9),
        ("a>b", "b", 2),
        ("sum == slots[i + 1]", "slots[3]", 7),
        ("i == 2", "i of reader", 0),
        ("ready.load() == 1", "ready", 0),
        ("!done", "done", 1),
    ])
    func `a variable is found where the text names it`(text: String, name: String, place: Int) {
        #expect(AssertedValues(text).place(of: AssertedValues.key(name)) == place)
    }

    @Test(arguments: [
        ("end.count == 2", "count"),
        ("thr->in != NULL", "in"),
        ("thr->in != NULL", "thr"),
        ("counter == 2", "count"),
        ("count() == 2", "count"),
        ("slots[i] == 2", "slots"),
        ("slots[i] == 2", "i"),
        ("a == 2", ""),
    ])
    func `a part of another name is none`(text: String, name: String) {
        #expect(AssertedValues(text).place(of: AssertedValues.key(name)) == nil)
    }
}
