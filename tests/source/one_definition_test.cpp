// Two types of one name in two sources of one program break it without a word from compiler or linker.
#include <gmock/gmock.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace blockscope::test {
namespace {

// ---- Which types a C++ source defines, by a reading that knows comments, literals, braces and namespaces.

bool in_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

// Words, "::", and single characters; without comments, literals and lines of the preprocessor.
class Tokens {
public:
    explicit Tokens(const std::string& source) : source_(source) {}

    std::vector<std::string> read() {
        while (at_ < source_.size()) next();
        return std::move(tokens_);
    }

private:
    bool begins(const char* text) const { return source_.compare(at_, std::string(text).size(), text) == 0; }
    void skip_past(const std::string& end) {
        const std::size_t found = source_.find(end, at_);
        at_ = found == std::string::npos ? source_.size() : found + end.size();
    }

    void next() {
        const char c = source_[at_];
        if (begins("//")) return skip_past("\n");
        if (begins("/*")) return skip_past("*/");
        if (begins("R\"")) return raw_text();
        if (c == '"' || c == '\'') return literal(c);
        if (c == '#') return preprocessor();
        if (in_word(c)) return word();
        if (begins("::")) {
            tokens_.emplace_back("::");
            at_ += 2;
            return;
        }
        if (std::isspace(static_cast<unsigned char>(c)) == 0) tokens_.emplace_back(1, c);
        ++at_;
    }

    void raw_text() {
        const std::size_t open = source_.find('(', at_);
        const std::string mark = source_.substr(at_ + 2, open - at_ - 2);
        at_ = open;
        skip_past(")" + mark + "\"");
    }

    void literal(char quote) {
        for (++at_; at_ < source_.size() && source_[at_] != quote; ++at_)
            if (source_[at_] == '\\') ++at_;
        ++at_;
    }

    void preprocessor() {
        do skip_past("\n");
        while (at_ >= 2 && at_ < source_.size() && source_[at_ - 2] == '\\');
    }

    // A number may hold quotes: 10'000.
    void word() {
        const std::size_t from = at_;
        const bool number = std::isdigit(static_cast<unsigned char>(source_[at_])) != 0;
        while (at_ < source_.size() && (in_word(source_[at_]) || (number && source_[at_] == '\''))) ++at_;
        tokens_.push_back(source_.substr(from, at_ - from));
    }

    const std::string& source_;
    std::size_t at_ = 0;
    std::vector<std::string> tokens_;
};

class Definitions {
public:
    explicit Definitions(std::vector<std::string> tokens) : tokens_(std::move(tokens)) {}

    std::vector<std::string> read() {
        for (; at_ < tokens_.size(); ++at_) next();
        return std::move(found_);
    }

private:
    // What a brace opened: a namespace that names can be given in, or anything else.
    struct Scope {
        bool is_namespace = false;
        std::string name;  // qualified, with "::" behind; of namespaces
    };

    const std::string& token(std::size_t at) const {
        static const std::string kNone;
        return at < tokens_.size() ? tokens_[at] : kNone;
    }
    bool in_namespace() const { return scopes_.empty() || scopes_.back().is_namespace; }
    std::string prefix() const { return scopes_.empty() ? std::string() : scopes_.back().name; }

    void next() {
        const std::string& word = tokens_[at_];
        if (word == "{") {
            scopes_.push_back({});
        } else if (word == "}") {
            if (!scopes_.empty()) scopes_.pop_back();
        } else if (!in_namespace()) {
            return;
        } else if (word == "template" && token(at_ + 1) == "<") {
            skip_parameters();
        } else if (word == "namespace") {
            open_namespace();
        } else if (word == "struct" || word == "class" || word == "union" || word == "enum") {
            type();
        }
    }

    // "template <class T>" defines no class T.
    void skip_parameters() {
        int depth = 0;
        for (++at_; at_ < tokens_.size(); ++at_) {
            if (tokens_[at_] == "<") ++depth;
            if (tokens_[at_] == ">" && --depth == 0) return;
        }
    }

    void open_namespace() {
        std::string name;
        std::size_t at = at_ + 1;
        for (; token(at) != "{" && token(at) != ";" && token(at) != "=" && at < tokens_.size(); ++at)
            name += token(at);
        if (token(at) != "{") return;
        scopes_.push_back({!name.empty(), prefix() + name + "::"});
        at_ = at;
    }

    // A definition has a body before the next ';', '(' or '='; what else begins with these words has none.
    void type() {
        std::size_t at = at_ + 1;
        if (token(at) == "class" || token(at) == "struct") ++at;
        if (token(at) == "[") {  // attributes: [[nodiscard]]
            while (at < tokens_.size() && (token(at) != "]" || token(at + 1) == "]")) ++at;
            ++at;
        }
        const std::string name = token(at);
        if (name.empty() || !in_word(name[0])) return;
        ++at;
        if (token(at) == "final") ++at;
        if (token(at) != "{" && token(at) != ":") return;
        while (at < tokens_.size() && token(at) != "{" && token(at) != ";") ++at;
        if (token(at) != "{") return;
        found_.push_back(prefix() + name);
        scopes_.push_back({});
        at_ = at;
    }

    std::vector<std::string> tokens_;
    std::size_t at_ = 0;
    std::vector<Scope> scopes_;
    std::vector<std::string> found_;
};

// Qualified names of the structs, classes, unions and enums that `source` defines in namespaces: neither in
// anonymous ones, nor within types or functions; specialisations of templates are left out.
std::vector<std::string> defined_types(const std::string& source) {
    return Definitions(Tokens(source).read()).read();
}

namespace fs = std::filesystem;

TEST(Definitions, OfNamespacesAreFound) {
    EXPECT_THAT(
        defined_types("struct A {}; namespace b { class C final : public A {}; enum class D : char { x }; }"
                      "namespace b::c { union E { int i; }; template <class T> struct F { T t; }; }"),
        testing::ElementsAre("A", "b::C", "b::D", "b::c::E", "b::c::F"));
}

TEST(Definitions, WhatIsNoneIsLeftOut) {
    EXPECT_THAT(defined_types(
                    "struct A; class B* b; namespace { struct C {}; } struct D f() { struct E {}; }\n"
                    "// struct F {};\n/* struct G {}; */ const char* s = \"struct H {\";\n"
                    "#define I \\\n struct J {};\n auto k = R\"(struct K {)\"; template <> struct L<int> {};"
                    "template <class M> void m() {} enum class N : int; char c = '{'; int n = 1'000;"
                    "struct [[nodiscard]] O { struct P {}; };"),
                testing::ElementsAre("O"));
}

TEST(Definitions, EveryTypeHasOne) {
    std::map<std::string, std::set<std::string>> places;
    const fs::path root = BLOCKSCOPE_SOURCE_DIR;
    for (const char* part : {"core", "gpu", "app"})
        for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / part)) {
            if (entry.path().extension() != ".h" && entry.path().extension() != ".cpp") continue;
            std::ostringstream text;
            text << std::ifstream(entry.path()).rdbuf();
            for (const std::string& name : defined_types(text.str()))
                places[name].insert(entry.path().lexically_relative(root));
        }
    ASSERT_GT(places.size(), 300U);
    for (const auto& [name, files] : places)
        EXPECT_EQ(files.size(), 1U) << name << " is defined in " << testing::PrintToString(files);
}

}  // namespace
}  // namespace blockscope::test
