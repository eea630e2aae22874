#include "tests/source/definitions.h"

#include <algorithm>
#include <cctype>

namespace blockscope::test {
namespace {

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

}  // namespace

std::vector<std::string> defined_types(const std::string& source) {
    return Definitions(Tokens(source).read()).read();
}

}  // namespace blockscope::test
