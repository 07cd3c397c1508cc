import Glibc

/// A library that a compiler has made, with everything in it that is read: types, variables in pieces of code, functions put into others.
enum Specimen: String, CaseIterable, Sendable {
    case gcc4 = "g++ -gdwarf-4 -O2"
    case gcc5 = "g++ -gdwarf-5 -O1"
    case gcc64 = "g++ -gdwarf-5 -gdwarf64 -O2"
    case clang5 = "clang++ -gdwarf-5 -O2"

    /// Its file. Empty: the compiler is not there.
    var bytes: [UInt8] { Self.files[self] ?? [] }

    private static let files: [Specimen: [UInt8]] = Dictionary(
        uniqueKeysWithValues: Specimen.allCases.map { ($0, $0.compiled()) })

    private func compiled() -> [UInt8] {
        var folder = Array("/tmp/threadlab-specimen-XXXXXX".utf8CString)
        guard mkdtemp(&folder) != nil else { return [] }
        let path = String(decoding: folder.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        defer { _ = Self.runs("rm -r '\(path)'") }
        guard let source = fopen("\(path)/bank.cpp", "w") else { return [] }
        fputs(Self.source, source)
        fclose(source)
        let options = "-w -fPIC -shared -nostdlib -ffunction-sections -fno-exceptions -fno-rtti -fno-stack-protector"
        guard Self.runs("cd '\(path)' && \(rawValue) \(options) bank.cpp -o bank.so"),
            let file = fopen("\(path)/bank.so", "r")
        else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        return Array(bytes[..<fread(&bytes, 1, bytes.count, file)])
    }

    private static func runs(_ command: String) -> Bool {
        guard let stream = popen(command, "r") else { return false }
        return pclose(stream) == 0
    }

    static let source = """
        struct Base { int id; Base *next; };
        struct Flags { unsigned a : 3, b : 5; long rest; };
        union Value { long whole; struct { int low, high; } halves; };
        struct Account : Base { const char *owner; Flags flags; Value value; int days[2][3]; };
        typedef const Account Fixed;
        Account accounts[4];
        static volatile int total;
        extern "C" void use(const void *);
        static inline __attribute__((always_inline)) int add(Account &account, int amount) {
            int sum = account.id + amount;
            for (int day = 0; day < 3; day++) { int part = account.days[0][day]; use(&part); sum += part; }
            account.value.whole = sum;
            return sum;
        }
        extern "C" int pay(int number, int amount) {
            Account own = accounts[number];
            int &reference = own.days[1][2];
            use(&own);
            use(&reference);
            total += add(own, amount);
            return total;
        }
        extern "C" int reward(Fixed &account) {
            Account copy = account;
            if (copy.flags.a) { long bonus[3] = {1, 2, copy.value.whole}; use(bonus); return add(copy, (int)bonus[2]); }
            return 0;
        }
        """
}
