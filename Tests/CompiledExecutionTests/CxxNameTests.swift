import Testing

@testable import CompiledExecution

@Suite struct CxxNameTests {
    @Test(arguments: [
        ("_ZL8end_lastPv", "end_last"),
        ("_ZL6global", "global"),
        ("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int>::push_back"),
        ("_ZZ4mainENKUlvE_clEv", "lambda in main"),
        ("_ZZ4mainENK3$_0clEv", "lambda in main"),
        ("_ZZZ4mainENKUlvE_clEvENKUlvE_clEv", "lambda in main"),
        ("_ZSt13__invoke_implIvZ4mainEUlvE_JEET_St14__invoke_otherOT0_DpOT1_", "lambda in main"),
        ("_ZNSt3mapIiiSt4lessIiESaISt4pairIKiiEEE4findERS3_", "std::map<int, int>::find"),
        ("_ZZNSt8__detail18__waiter_pool_base6_S_forEPKvE3__w", "std::__detail::__waiter_pool_base::_S_for::__w"),
        ("_ZN12_GLOBAL__N_14BankD2Ev", "(anonymous namespace)::Bank::~Bank"),
        ("_Z3addIiEvT_", "add<int>"),
        ("_ZNK4Bank4nameB5cxx11Ev", "Bank::name"),
        ("_ZN4Bank6renameERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "Bank::rename"),
        ("_ZN5StoreINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE3putEv", "Store<std::string>::put"),
        ("_ZNKR4Bank4nameEv", "Bank::name"),
        ("_ZNVKO4Bank4nameEv", "Bank::name"),
        ("_ZN4BankclEi", "Bank::operator()"),
        ("_ZN4BankltERKS_", "Bank::operator<"),
        ("_ZN4BankcvbEv", "Bank::operator bool"),
    ])
    func `a name of C++ is shown as its source has it`(symbol: String, name: String) {
        #expect(CxxName(symbol)?.text == name)
    }

    @Test func `of a long name, arguments that are inside others are left out`() throws {
        let inner = "1AI" + "1BI" + "1CI" + "32abcdefghijklmnopqrstuvwxyzabcdef" + "EEE"
        let name = try #require(CxxName("_ZN4ListI" + inner + inner + "E3putEv"))
        #expect(name.text == "List<A<B<…>>, A<B<…>>>::put")
    }

    @Test(arguments: [
        (
            "_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJPFviEiEEEEEE",
            CxxName.Called(text: "void (*)(int)", isPointer: true)
        ),
        (
            "_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJM4BankFviEPS3_iEEEEEE",
            CxxName.Called(text: "void (Bank::*)(int)", isPointer: true)
        ),
        (
            "_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJZ4mainEUlvE_EEEEEE",
            CxxName.Called(text: "lambda in main", isPointer: false)
        ),
        (
            "_ZTVNSt6thread11_State_implINS_8_InvokerISt5tupleIJ6WorkeriEEEEEE",
            CxxName.Called(text: "Worker", isPointer: false)
        ),
    ])
    func `what a thread calls is in the name of its state`(table: String, called: CxxName.Called) {
        #expect(CxxName.called(byThread: table) == called)
    }

    @Test(arguments: ["_ZTV4Bank", "_ZTVNSt6thread11_State_implE", "main", ""])
    func `other tables say nothing of a thread`(table: String) {
        #expect(CxxName.called(byThread: table) == nil)
    }

    @Test(arguments: ["main", "_Zebra!", "_Z", "__libc_start_main", ""])
    func `other names are none`(symbol: String) {
        #expect(CxxName(symbol) == nil)
    }

    @Test func `a name is not longer than a line`() throws {
        let name = try #require(
            CxxName("_Z1f" + String(repeating: "i", count: 400)))
        #expect(name.text.count <= 120)
        let long = "_ZN" + String(repeating: "10abcdefghij", count: 40) + "Ev"
        #expect(try #require(CxxName(long)).text.count == 120)
    }
}
