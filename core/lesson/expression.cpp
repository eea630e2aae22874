#include "core/lesson/lesson.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/cost/models/model.h"
#include "core/program/names.h"
#include "core/rules/rule.h"

namespace blockscope::lesson {
namespace {

constexpr int kMaxDepth = 40;  // of brackets and signs in one expression

bool is_letter(char c) {
    return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_';
}
bool is_digit(char c) {
    return std::isdigit(static_cast<unsigned char>(c)) != 0;
}

const Function* find_function(std::string_view name) {
    const auto found = std::find_if(functions().begin(), functions().end(),
                                    [&](const Function& row) { return row.name == name; });
    return found == functions().end() ? nullptr : &*found;
}

std::string unknown_word(std::string_view word) {
    std::vector<std::string_view> known;
    for (const Function& row : functions()) known.push_back(row.name);
    return "there is no value '" + std::string(word) + "'" + suggestion(word, known).str();
}

// At most three digits behind the point, none that say nothing: "1.5", "4096", "0.333".
std::string plain_number(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return std::to_string(static_cast<long long>(number));
    char text[32];
    std::snprintf(text, sizeof text, std::abs(number) < 100 ? "%.3g" : "%.0f", number);
    return text;
}

// "8.69 billion": operations are told in words, which a listener can follow.
std::string counted(double number) {
    static const std::pair<double, const char*> kWords[] = {
        {1e12, " trillion"}, {1e9, " billion"}, {1e6, " million"}};
    for (const auto& [size, word] : kWords)
        if (number >= size) {
            char text[32];
            std::snprintf(text, sizeof text, "%.3g", number / size);
            return text + std::string(word);
        }
    return plain_number(number);
}

}  // namespace

const std::vector<UnitWord>& unit_words() {
    static const std::vector<UnitWord> kWords = {
        {"B", 1, Unit::Bytes},
        {"kB", 1e3, Unit::Bytes},
        {"MB", 1e6, Unit::Bytes},
        {"GB", 1e9, Unit::Bytes},
        {"TB", 1e12, Unit::Bytes},
        {"ns", 1e-9, Unit::Seconds},
        {"us", 1e-6, Unit::Seconds},
        {"ms", 1e-3, Unit::Seconds},
        {"s", 1, Unit::Seconds},
        {"%", 0.01, Unit::Number},
        {"million", 1e6, Unit::Operations},
        {"billion", 1e9, Unit::Operations},
        {"trillion", 1e12, Unit::Operations},
    };
    return kWords;
}

const UnitWord* find_unit(std::string_view word) {
    const auto found = std::find_if(unit_words().begin(), unit_words().end(),
                                    [&](const UnitWord& row) { return row.word == word; });
    return found == unit_words().end() ? nullptr : &*found;
}

const std::vector<Function>& functions() {
    using enum Parameter;
    using enum FunctionId;
    static const std::vector<Function> kFunctions = {
        {Traffic, "traffic", {State}, 0, Unit::Bytes, "bytes between global and local memory"},
        {Between, "between", {State}, 0, Unit::Bytes, "bytes of intermediates among them"},
        {Operations, "operations", {State}, 0, Unit::Operations, "additions, multiplications and functions"},
        {Buffered, "buffered", {State}, 0, Unit::Number, "buffered edges"},
        {Kernels, "kernels", {State}, 0, Unit::Number, "kernels, hence launches"},
        {Tasks, "tasks", {State}, 0, Unit::Number, "parallel tasks of the kernel that has fewest"},
        {Local, "local", {State}, 0, Unit::Bytes, "local memory that one processor needs"},
        {Least, "least", {State}, 0, Unit::Bytes, "every input read once and every output written once"},
        {Intensity, "intensity", {State}, 0, Unit::Other, "operations per byte"},
        {Time, "time", {State, Device}, 0, Unit::Seconds, "predicted time, on the learner's device"},
        {Matches, "matches", {Rule, State}, 1, Unit::Number, "places where a rule applies"},
        {Moved, "moved", {Array, State}, 1, Unit::Bytes, "bytes moved of one array of the listing"},
        {Exponentials, "exponentials", {State}, 0, Unit::Number, "operators that the safe form makes safe"},
        {RuleOf, "rule", {State}, 1, Unit::Rule, "the rule that leads to a state of the algorithm's run"},
        {Steps, "steps", {}, 0, Unit::Number, "steps of the algorithm's run"},
        {Step, "step", {}, 0, Unit::Number, "the learner's step"},
        {SizeOf, "size", {Dim}, 1, Unit::Number, "elements of a dimension"},
        {BlocksOf, "blocks", {Dim}, 1, Unit::Number, "blocks of a dimension"},
        {BlockOf, "block", {Dim}, 1, Unit::Number, "elements of a block of a dimension"},
        {Bytes, "bytes", {Array}, 1, Unit::Bytes, "bytes of one input or output"},
        {Bandwidth, "bandwidth", {Device}, 1, Unit::Bytes, "bytes that its global memory moves in a second"},
        {Rate, "rate", {Device, Type}, 2, Unit::Operations, "operations of its matrix units in a second"},
        {Capacity, "capacity", {Device}, 1, Unit::Bytes, "local memory that one task may have there"},
        {HStar, "hstar", {State, Number}, 2, Unit::Number, "H*, in values, with a memory of so many values"},
        {Law, "law", {State}, 0, Unit::Formula, "H* as a formula of sizes and memory"},
        {Applied, "applied", {Rule, Place}, 1, Unit::Number, "how often the learner's way has a rule"},
        {Selected, "selected", {Node}, 1, Unit::Truth, "whether the learner has selected an operator"},
        {OnDevice, "device", {Device}, 1, Unit::Truth, "whether the learner has chosen a device"},
        {Opened, "opened", {File}, 1, Unit::Truth, "whether a program is open"},
        {Safe, "safe", {}, 0, Unit::Truth, "whether the learner looks at the safe form"},
        {Measured, "measured", {}, 0, Unit::Truth, "whether the learner's state has been measured"},
        {MeasuredTime, "measured_time", {}, 0, Unit::Seconds, "how long it took"},
    };
    return kFunctions;
}

const Function& function(FunctionId id) {
    for (const Function& row : functions())
        if (row.id == id) return row;
    throw InternalError("a function of lessons without a row");
}

// ---- Reading.

void ExpressionReader::skip() {
    while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t')) ++at_;
}

Place ExpressionReader::place_at(std::size_t offset) const {
    Place place = place_;
    place.column += static_cast<int>(offset);
    return place;
}

Place ExpressionReader::here() {
    skip();
    return place_at(at_);
}

Problem ExpressionReader::problem(const std::string& message) {
    return {here(), message};
}

bool ExpressionReader::at_end() {
    skip();
    return at_ == text_.size();
}

std::string_view ExpressionReader::peek_word() {
    skip();
    std::size_t end = at_;
    while (end < text_.size() && (is_letter(text_[end]) || (end > at_ && is_digit(text_[end])))) ++end;
    return text_.substr(at_, end - at_);
}

std::string_view ExpressionReader::word() {
    const std::string_view found = peek_word();
    at_ += found.size();
    return found;
}

bool ExpressionReader::takes(std::string_view word) {
    if (peek_word() != word) return false;
    at_ += word.size();
    return true;
}

const UnitWord* ExpressionReader::takes_unit() {
    if (takes_sign("%")) return find_unit("%");
    const std::string_view next = peek_word();
    const UnitWord* unit = find_unit(next);
    if (unit != nullptr) at_ += next.size();
    return unit;
}

bool ExpressionReader::takes_sign(std::string_view sign) {
    skip();
    if (is_letter(sign[0])) return takes(sign);
    if (text_.substr(at_, sign.size()) != sign) return false;
    if (sign == "-" && text_.substr(at_, 2) == "->") return false;
    at_ += sign.size();
    return true;
}

Result<Expression> ExpressionReader::chain(Result<Expression> (ExpressionReader::*part)(),
                                           const std::vector<std::string_view>& operators) {
    const std::size_t start = (skip(), at_);
    Result<Expression> left = (this->*part)();
    while (left) {
        const Place at = here();
        const auto op =
            std::find_if(operators.begin(), operators.end(), [&](auto sign) { return takes_sign(sign); });
        if (op == operators.end()) return left;
        Result<Expression> right = (this->*part)();
        if (!right) return right;
        Expression both{.kind = Expression::Kind::Binary,
                        .op = std::string(*op),
                        .operands = {std::move(left).value(), std::move(right).value()},
                        .text = std::string(text_.substr(start, at_ - start)),
                        .place = at};
        left = std::move(both);
    }
    return left;
}

Result<Expression> ExpressionReader::condition() {
    return disjunction();
}
Result<Expression> ExpressionReader::disjunction() {
    return chain(&ExpressionReader::conjunction, {"or"});
}
Result<Expression> ExpressionReader::conjunction() {
    return chain(&ExpressionReader::negation, {"and"});
}

Result<Expression> ExpressionReader::negation() {
    const Place at = here();
    if (!takes("not")) return comparison();
    if (++depth_ > kMaxDepth) return problem("the condition is nested too deeply");
    Result<Expression> inner = negation();
    --depth_;
    if (!inner) return inner;
    return Expression{
        .kind = Expression::Kind::Not, .operands = {std::move(inner).value()}, .text = "not", .place = at};
}

Result<Expression> ExpressionReader::comparison() {
    return chain(&ExpressionReader::sum, {"<=", ">=", "==", "!=", "<", ">"});
}
Result<Expression> ExpressionReader::sum() {
    return chain(&ExpressionReader::product, {"+", "-"});
}
Result<Expression> ExpressionReader::product() {
    return chain(&ExpressionReader::factor, {"*", "/"});
}

Result<Expression> ExpressionReader::factor() {
    const Place at = here();
    if (++depth_ > kMaxDepth) return problem("the expression is nested too deeply");
    if (takes_sign("-")) {
        Result<Expression> inner = factor();
        --depth_;
        if (!inner) return inner;
        return Expression{.kind = Expression::Kind::Negate,
                          .operands = {std::move(inner).value()},
                          .text = "-",
                          .place = at};
    }
    if (takes_sign("(")) {
        Result<Expression> inner = condition();
        --depth_;
        if (inner && !takes_sign(")")) return problem("expected ')'");
        return inner;
    }
    --depth_;
    if (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) return number();
    return call();
}

Result<Expression> ExpressionReader::number() {
    const std::size_t start = at_;
    while (at_ < text_.size() && (is_digit(text_[at_]) || text_[at_] == '.')) ++at_;
    const std::string digits(text_.substr(start, at_ - start));
    char* end = nullptr;
    Value value{std::strtod(digits.c_str(), &end), Unit::Number};
    if (*end != '\0') return Problem{place_at(start), "'" + digits + "' is no number"};
    if (const UnitWord* unit = takes_unit()) value = {value.number * unit->factor, unit->unit};
    return Expression{
        .literal = value, .text = std::string(text_.substr(start, at_ - start)), .place = place_at(start)};
}

Result<Expression> ExpressionReader::call() {
    const std::size_t start = at_;
    const std::string_view name = peek_word();
    if (name.empty())
        return problem(at_end() ? "expected a number or a value"
                                : "expected a number or a value, not '" + std::string(1, text_[at_]) + "'");
    const Function* row = find_function(name);
    if (row == nullptr) return problem(unknown_word(name));
    at_ += name.size();
    Expression call{.kind = Expression::Kind::Call, .function = row->id, .place = place_at(start)};
    if (takes_sign("(")) {
        Result<std::vector<Argument>> given = arguments(*row);
        if (!given) return given.problems();
        call.arguments = std::move(given).value();
    }
    if (static_cast<int>(call.arguments.size()) < row->needed)
        return Problem{call.place, "'" + std::string(name) + "' needs " + std::to_string(row->needed) +
                                       (row->needed == 1 ? " argument" : " arguments") + " in brackets"};
    call.text = std::string(text_.substr(start, at_ - start));
    return call;
}

Result<std::vector<Argument>> ExpressionReader::arguments(const Function& row) {
    std::vector<Argument> given;
    do {
        if (given.size() == row.parameters.size())
            return problem("'" + std::string(row.name) + "' takes no " +
                           (given.empty() ? "arguments" : "further argument"));
        Result<Argument> next = argument(row.parameters[given.size()]);
        if (!next) return next.problems();
        given.push_back(std::move(next).value());
    } while (takes_sign(","));
    if (!takes_sign(")")) return problem("expected ',' or ')'");
    return given;
}

Result<Argument> ExpressionReader::argument(Parameter parameter) {
    Argument result{.text = {}, .place = here(), .number = {}};
    if (parameter == Parameter::Number) {
        Result<Expression> value = sum();
        if (!value) return value.problems();
        result.text = value->text;
        result.number.push_back(std::move(value).value());
        return result;
    }
    const bool quoted = takes_sign("\"");
    const std::size_t end = quoted ? text_.find('"', at_) : text_.find_first_of(",)", at_);
    if (end == std::string_view::npos) return problem(quoted ? "the quotation has no end" : "expected ')'");
    std::string_view text = text_.substr(at_, end - at_);
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
    at_ = quoted ? end + 1 : end;
    if (text.empty()) return Problem{result.place, std::string("expected an argument")};
    result.text = std::string(text);
    return result;
}

namespace {

Result<Expression> whole(ExpressionReader& reader, Result<Expression> read) {
    if (read && !reader.at_end())
        return reader.problem("'" + std::string(reader.rest()) + "' is not expected here");
    return read;
}

}  // namespace

Result<Expression> read_condition(std::string_view text, const Place& place) {
    ExpressionReader reader(text, place);
    return whole(reader, reader.condition());
}

Result<Expression> read_number(std::string_view text, const Place& place) {
    ExpressionReader reader(text, place);
    return whole(reader, reader.sum());
}

std::string to_text(const Value& value, const UnitWord* unit) {
    if (unit != nullptr) {
        const std::string number = plain_number(std::abs(value.number) < 100 * unit->factor
                                                    ? value.number / unit->factor
                                                    : std::round(value.number / unit->factor));
        return number + (unit->word == "%" ? "" : " ") + std::string(unit->word);
    }
    switch (value.unit) {
        case Unit::Bytes:
            return bytes_text_of(value.number);
        case Unit::Seconds:
            return seconds_text(value.number);
        case Unit::Truth:
            return value.number != 0 ? "yes" : "no";
        case Unit::Rule: {
            const Rule& rule = rules().at(static_cast<std::size_t>(value.number));
            return "rule " + to_string(rule.id) + " (" + rule.name.str() + ")";
        }
        case Unit::Formula:
            return value.formula;
        case Unit::Operations:
        case Unit::Other:
        case Unit::Number:
            return counted(value.number);
    }
    return {};
}

}  // namespace blockscope::lesson
