import Testing

@testable import CompiledExecution

@Suite struct CxxNameTests {
    @Test(arguments: [
        ("_ZL8end_lastPv", "end_last"),
        ("_ZL6global", "global"),
        ("_ZNSt6vectorIiSaIiEE9push_backEOi", "std::vector<int>::push_back"),
        ("_ZZ4mainENKUlvE_clEv", "main::{lambda#1}::operator()"),
        ("_ZZNSt8__detail18__waiter_pool_base6_S_forEPKvE3__w", "std::__detail::__waiter_pool_base::_S_for::__w"),
        ("_ZN12_GLOBAL__N_14BankD2Ev", "(anonymous namespace)::Bank::~Bank"),
        ("_Z3addIiEvT_", "add<int>"),
        ("_ZNK4Bank4nameB5cxx11Ev", "Bank::name"),
        ("_ZN4Bank6renameERKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEE", "Bank::rename"),
        ("_ZN5StoreINSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEEE3putEv", "Store<std::string>::put"),
        ("_ZN4BankclEi", "Bank::operator()"),
        ("_ZN4BankltERKS_", "Bank::operator<"),
        ("_ZN4BankcvbEv", "Bank::operator bool"),
    ])
    func `a name of C++ is shown as its source has it`(symbol: String, name: String) {
        #expect(CxxName(symbol)?.text == name)
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
