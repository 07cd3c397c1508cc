"""Text of a .lab file to a syntax tree: the subset that litmus tests need.

Expressions and statements are tuples whose first element names them:

  ("int", n)  ("bool", b)  ("name", n)  ("element", name, index)  ("index",)
  ("unary", operator, e)  ("binary", operator, a, b)  ("call", place, method, arguments, orders)

  ("let", name, e)  ("assign", place, operator, e)  ("do", e)  ("if", e, then, otherwise)  ("while", e, body)
  ("for", name, low, high, body)  ("repeat", e, body)  ("lock", place, body)  ("await", e)  ("fence", order)
  ("break",)  ("continue",)  ("return",)  ("skip",)
"""
import re

ORDERS = {"relaxed": "relaxed", "acquire": "acquire", "release": "release", "acqrel": "acqrel", "acqRel": "acqrel",
          "seqcst": "seqcst"}
MODELS = {"sc": "sc", "seqcst": "sc", "tso": "tso", "rc11": "rc11", "weak": "rc11"}
LEVELS = [["||"], ["&&"], ["==", "!=", "<", "<=", ">", ">="], ["+", "-", "|", "^"], ["*", "/", "%", "&"], ["<<", ">>"]]
ASSIGNMENTS = ["=", "+=", "-=", "*=", "&=", "|=", "^="]

TOKEN = re.compile(r"""
    (?P<blank>[ \t\r]+ | //[^\n]*) | (?P<line>[\n;]) | (?P<int>0x[0-9A-Fa-f_]+|\d[\d_]*) | (?P<name>[A-Za-z_]\w*)
  | (?P<text>"[^"\n]*") | (?P<mark>\.\.\.|\.\.<|->|<<|>>|[=!<>+\-*&|^]=|&&|\|\||[-+*/%&|^~!<>=(){}\[\],.:])
""", re.X)


class Unsupported(Exception):
    """The text is not in the subset; the message says where and what."""


class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line


def tokens(source):
    found, line, at, depth = [], 1, 0, 0
    while at < len(source):
        match = TOKEN.match(source, at)
        if not match:
            raise Unsupported(f"line {line}: unexpected character {source[at]!r}")
        at, kind, text = match.end(), match.lastgroup, match.group()
        if text in ("(", "["):
            depth += 1
        if text in (")", "]"):
            depth -= 1
        if kind == "line":
            if depth == 0 and not (found and found[-1].kind == "line"):
                found.append(Token(kind, text, line))
            line += text == "\n"
        elif kind != "blank":
            continues = text in ("&&", "||", "==", "!=", "<", "<=", ">", ">=", "+", "|", "^", "*", "/", "%", ".")
            if continues and found and found[-1].kind == "line":
                found.pop()
            found.append(Token(kind, text, line))
    return found + [Token("line", "\n", line), Token("end", "the end of the file", line)]


class Parser:
    def __init__(self, source):
        self.tokens, self.at = tokens(source), 0

    # Tokens

    @property
    def next(self):
        return self.tokens[self.at]

    def fail(self, wanted):
        raise Unsupported(f"line {self.next.line}: {wanted} expected, but found {self.next.text!r}")

    def skip(self, text):
        """Takes the next token if it is this one."""
        if self.next.text == text and self.next.kind != "text":
            self.at += 1
            return True
        return False

    def want(self, text):
        if not self.skip(text):
            self.fail(repr(text))

    def word(self):
        if self.next.kind != "name":
            self.fail("a name")
        self.at += 1
        return self.tokens[self.at - 1].text

    def lines(self):
        while self.next.kind == "line":
            self.at += 1

    def order(self):
        word = self.word()
        if word not in ORDERS:
            raise Unsupported(f"line {self.next.line}: {word!r} is not a memory order")
        return ORDERS[word]

    # Expressions

    def expression(self, level=0):
        if level == len(LEVELS):
            return self.prefix()
        left = self.expression(level + 1)
        while self.next.kind == "mark" and self.next.text in LEVELS[level]:
            operator = self.next.text
            self.at += 1
            left = ("binary", operator, left, self.expression(level + 1))
        return left

    def prefix(self):
        for operator in "-!~":
            if self.skip(operator):
                return ("unary", operator, self.prefix())
        token = self.next
        if token.kind == "int":
            self.at += 1
            return ("int", int(token.text.replace("_", ""), 0))
        if self.skip("("):
            inner = self.expression()
            self.want(")")
            return inner
        name = self.word()
        if name in ("true", "false"):
            return ("bool", name == "true")
        if name == "index":
            return ("index",)
        place = self.subscript(name)
        return self.call(place) if self.skip(".") else place

    def subscript(self, name):
        if not self.skip("["):
            return ("name", name)
        index = self.expression()
        self.want("]")
        return ("element", name, index)

    def call(self, place):
        method, arguments, orders = self.word(), [], []
        self.want("(")
        while not self.skip(")"):
            if self.next.text in ORDERS and self.tokens[self.at + 1].text in (",", ")"):
                orders.append(self.order())
            else:
                if self.next.kind == "name" and self.tokens[self.at + 1].text == ":":
                    self.at += 2
                arguments.append(self.expression())
            if self.next.text != ")":
                self.want(",")
        return ("call", place, method, arguments, orders)

    # Statements

    def block(self):
        body = []
        self.want("{")
        self.lines()
        while not self.skip("}"):
            body.append(self.statement())
            if self.next.text != "}" and self.next.kind != "line":
                self.fail("the end of the statement")
            self.lines()
        return body

    def statement(self):
        token = self.next
        if token.kind != "name":
            self.fail("a statement")
        parse = getattr(self, "parse_" + token.text, None)
        if parse:
            self.at += 1
            return parse()
        if token.text in ("spawn", "join", "detach", "once", "reading", "writing", "assert", "sleep"):
            raise Unsupported(f"line {token.line}: {token.text!r} is outside the subset")
        target = self.expression()
        for operator in ASSIGNMENTS:
            if self.skip(operator):
                return ("assign", target, operator[:-1], self.expression())
        return ("do", target)

    def parse_let(self):
        name = self.word()
        if self.skip(":"):
            self.word()
        self.want("=")
        return ("let", name, self.expression())

    parse_var = parse_let

    def parse_if(self):
        condition, then, otherwise = self.expression(), self.block(), []
        if self.skip("else"):
            otherwise = [self.parse_if()] if self.skip("if") else self.block()
        return ("if", condition, then, otherwise)

    def parse_while(self):
        return ("while", self.expression(), self.block())

    def parse_repeat(self):
        return ("repeat", self.expression(), self.block())

    def parse_for(self):
        name = self.word()
        self.want("in")
        low = self.expression()
        isClosed = self.skip("...")
        if not isClosed:
            self.want("..<")
        high = self.expression()
        return ("for", name, low, ("binary", "+", high, ("int", 1)) if isClosed else high, self.block())

    def parse_lock(self):
        return ("lock", self.subscript(self.word()), self.block())

    def parse_await(self):
        return ("await", self.expression())

    def parse_fence(self):
        self.want("(")
        order = self.order()
        self.want(")")
        if order == "relaxed":
            raise Unsupported(f"line {self.next.line}: a relaxed fence orders nothing")
        return ("fence", order)

    def parse_note(self):
        self.at += 1
        return ("skip",)

    def parse_yield(self):
        return ("skip",)

    def parse_break(self):
        return ("break",)

    def parse_continue(self):
        return ("continue",)

    def parse_return(self):
        return ("return",)

    # The file

    def file(self):
        """(declarations, threads, claims), each a list of tuples."""
        declarations, threads, claims = [], [], []
        self.lines()
        while self.next.kind != "end":
            word = self.word()
            if word == "scenario":
                self.at += 1
            elif word in ("shared", "atomic", "mutex", "parameter"):
                self.declaration(word, declarations)
            elif word == "thread":
                name, count = self.word(), None
                if self.skip("["):
                    count = self.expression()
                    self.want("]")
                threads.append((name, count, self.block()))
            elif word == "expect":
                claims.append(self.claim())
            else:
                raise Unsupported(f"line {self.next.line}: {word!r} is outside the subset")
            self.lines()
        return declarations, threads, claims

    def declaration(self, kind, declarations):
        while True:
            name, count, initial = self.word(), None, None
            if self.skip("["):
                count = self.expression()
                self.want("]")
            if self.skip(":"):
                self.word()
            if kind != "mutex":
                self.want("=")
                initial = self.expression()
            if kind == "parameter" and self.skip("in"):
                while self.next.kind != "line":
                    self.at += 1
            declarations.append((kind, name, count, initial))
            if not self.skip(","):
                return

    def claim(self):
        """(model or None, kind, expression or rows or words, line)"""
        line, model = self.next.line, None
        if self.skip("under"):
            word = self.word()
            if word not in MODELS:
                raise Unsupported(f"line {line}: {word!r} is not a memory model")
            model = MODELS[word]
        kind = self.word()
        if kind == "broken":
            return (model, kind, (self.word(), self.expression()), line)
        if kind in ("always", "never", "sometimes"):
            return (model, kind, self.expression(), line)
        if kind == "outcomes":
            rows = []
            self.want("{")
            self.lines()
            while not self.skip("}"):
                rows.append(self.expression())
                self.lines()
            return (model, kind, rows, line)
        words = [kind]
        while self.skip(","):
            words.append(self.word())
        return (model, "ends", words, line)


def parse(source):
    return Parser(source).file()
