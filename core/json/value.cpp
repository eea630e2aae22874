#include "core/json/value.h"

namespace blockscope::json {

Value::Value() : data(nullptr) {}
Value::Value(bool b) : data(b) {}
Value::Value(int i) : data(std::int64_t{i}) {}
Value::Value(std::int64_t i) : data(i) {}
Value::Value(std::uint32_t i) : data(std::int64_t{i}) {}
Value::Value(double d) : data(d) {}
Value::Value(const char* s) : data(std::string(s)) {}
Value::Value(std::string s) : data(std::move(s)) {}
Value::Value(Array a) : data(std::move(a)) {}
Value::Value(Object o) : data(std::move(o)) {}
Value::Value(const Value&) = default;
Value::Value(Value&&) noexcept = default;
Value& Value::operator=(const Value&) = default;
Value& Value::operator=(Value&&) noexcept = default;
Value::~Value() = default;
bool Value::operator==(const Value& other) const {
    return data == other.data;
}

}  // namespace blockscope::json
