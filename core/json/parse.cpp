// The only file that includes nlohmann_json.
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "core/json/value.h"

namespace blockscope::json {
namespace {

// Receives nlohmann's events and builds the document without recursion. Returning false ends the reading.
class Handler final : public nlohmann::json_sax<nlohmann::json> {
public:
    explicit Handler(const std::string& file) : file_(file) {}

    Value take() { return std::move(root_); }
    const std::optional<Problem>& problem() const { return problem_; }

    bool null() override { return add(Value{}); }
    bool boolean(bool b) override { return add(Value(b)); }
    bool number_integer(number_integer_t i) override { return add(Value(std::int64_t{i})); }
    bool number_unsigned(number_unsigned_t u) override {
        if (u > static_cast<number_unsigned_t>(INT64_MAX)) return add(Value(static_cast<double>(u)));
        return add(Value(static_cast<std::int64_t>(u)));
    }
    bool number_float(number_float_t d, const string_t&) override { return add(Value(d)); }
    bool string(string_t& s) override { return add(Value(std::move(s))); }
    bool binary(binary_t&) override { throw InternalError("JSON text holds no binary values"); }
    bool start_object(std::size_t) override { return open(Value(Object{})); }
    bool start_array(std::size_t) override { return open(Value(Array{})); }
    bool end_object() override { return close(); }
    bool end_array() override { return close(); }
    bool key(string_t& key) override;
    bool parse_error(std::size_t position, const std::string&, const nlohmann::json::exception& e) override;

private:
    bool add(Value value);
    bool open(Value container);
    bool close();
    bool fail(const std::string& message);
    bool count();
    std::string pointer() const;

    std::string file_;
    Value root_;
    std::vector<Value> open_;  // containers around the current place, outermost first
    std::size_t values_ = 0;
    std::optional<Problem> problem_;
};

std::string Handler::pointer() const {
    std::string result;
    for (const Value& container : open_) {
        if (const Array* array = std::get_if<Array>(&container.data)) {
            result += "/" + std::to_string(array->size());
        } else if (const Object& object = std::get<Object>(container.data); !object.empty()) {
            result += "/" + pointer_token(object.back().key);
        }
    }
    return result;
}

bool Handler::fail(const std::string& message) {
    problem_ = Problem{Place{file_, 0, 0, pointer()}, message};
    return false;
}

bool Handler::count() {
    if (++values_ <= kMaxValues) return true;
    return fail("the document has more than " + std::to_string(kMaxValues) +
                " values, the most that is allowed");
}

bool Handler::add(Value value) {
    if (!count()) return false;
    if (open_.empty()) {
        root_ = std::move(value);
    } else if (Array* array = std::get_if<Array>(&open_.back().data)) {
        array->push_back(std::move(value));
    } else {
        std::get<Object>(open_.back().data).back().value = std::move(value);
    }
    return true;
}

bool Handler::open(Value container) {
    if (open_.size() == kMaxDepth) {
        return fail("arrays and objects are nested more than " + std::to_string(kMaxDepth) +
                    " deep, the most that is allowed");
    }
    open_.push_back(std::move(container));
    return true;
}

bool Handler::close() {
    Value done = std::move(open_.back());
    open_.pop_back();
    return add(std::move(done));
}

bool Handler::key(string_t& key) {
    if (key.size() > kMaxKeyBytes) {
        return fail("a key of this object has " + std::to_string(key.size()) + " bytes; at most " +
                    std::to_string(kMaxKeyBytes) + " are allowed");
    }
    Object& object = std::get<Object>(open_.back().data);
    if (object.size() == kMaxKeys) {
        return fail("an object has more than " + std::to_string(kMaxKeys) +
                    " keys, the most that is allowed");
    }
    bool twice = false;
    for (const Member& member : object) twice = twice || member.key == key;
    object.push_back({std::move(key), Value{}});
    if (!twice) return true;
    return fail("the key \"" + printable(object.back().key, 40) +
                "\" appears twice in this object; once is allowed");
}

// nlohmann's message reads "[json.exception.parse_error.101] parse error at line 1, column 2: syntax
// error while parsing value - invalid literal; last read: '...'; expected ...". What follows the
// last read token may be megabytes away, so both ends are kept.
std::string sentence(const std::string& what) {
    const std::size_t id = what.find("] ");
    const std::string text = id == std::string::npos ? what : what.substr(id + 2);
    const std::size_t most = 300;
    if (text.size() <= most) return printable(text, most);
    return printable(text.substr(0, most), most) + " ...";
}

bool Handler::parse_error(std::size_t, const std::string&, const nlohmann::json::exception& e) {
    return fail("this is not JSON: " + sentence(e.what()));
}

}  // namespace

Result<Value> parse(const std::string& text, const std::string& file) {
    const Place top{file, 0, 0, ""};
    if (text.size() > kMaxBytes) {
        return Problem{top, "the file has " + std::to_string(text.size()) + " bytes; at most " +
                                std::to_string(kMaxBytes) + " (64 MiB) are allowed"};
    }
    if (text.empty()) return Problem{top, "the file is empty; a JSON object is expected"};
    // nlohmann takes a NUL for the end of the text, whatever follows.
    if (const std::size_t nul = text.find('\0'); nul != std::string::npos) {
        return Problem{top,
                       "byte " + std::to_string(nul + 1) + " of the file is a NUL; JSON text holds none"};
    }
    Handler handler(file);
    nlohmann::json::sax_parse(text, &handler);
    if (handler.problem()) return *handler.problem();
    return handler.take();
}

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace blockscope::json
