#include "core/lesson/lesson.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "core/cost/models/model.h"
#include "core/program/names.h"
#include "core/rules/rule.h"
#include "core/support/text.h"

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

// "4096", "131,072": from five digits on in groups.
std::string whole_number(long long number) {
    constexpr long long kGrouped = 10'000;
    return std::abs(number) < kGrouped ? std::to_string(number) : in_groups(number);
}

// At most three digits behind the point, none that say nothing: "1.5", "4096", "0.333".
std::string plain_number(double number) {
    if (number == std::floor(number) && std::abs(number) < 1e15)
        return whole_number(static_cast<long long>(number));
    char text[32];
    if (std::abs(number) >= 100 && std::abs(number) < 1e15) return whole_number(std::llround(number));
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
    // A row a line or two.
    // clang-format off
    static const std::vector<Function> kFunctions = {
        {.id = Traffic, .name = "traffic", .parameters = {State}, .unit = Unit::Bytes,
         .meaning = "bytes between global and local memory"},
        {.id = Between, .name = "between", .parameters = {State}, .unit = Unit::Bytes,
         .meaning = "bytes of intermediates among them"},
        {.id = Operations, .name = "operations", .parameters = {State}, .unit = Unit::Operations,
         .meaning = "additions, multiplications and functions"},
        {.id = Buffered, .name = "buffered", .parameters = {State}, .unit = Unit::Number,
         .meaning = "buffered edges"},
        {.id = Kernels, .name = "kernels", .parameters = {State}, .unit = Unit::Number,
         .meaning = "kernels, hence launches"},
        {.id = Tasks, .name = "tasks", .parameters = {State}, .unit = Unit::Number,
         .meaning = "parallel tasks of the kernel that has fewest"},
        {.id = Local, .name = "local", .parameters = {State}, .unit = Unit::Bytes,
         .meaning = "local memory that one processor needs"},
        {.id = Least, .name = "least", .parameters = {State}, .unit = Unit::Bytes,
         .meaning = "every input read once and every output written once"},
        {.id = Intensity, .name = "intensity", .parameters = {State}, .unit = Unit::Other,
         .meaning = "operations per byte"},
        {.id = Time, .name = "time", .parameters = {State, Device}, .unit = Unit::Seconds,
         .meaning = "predicted time, on the learner's device"},
        {.id = Matches, .name = "matches", .parameters = {Rule, State}, .needed = 1, .unit = Unit::Number,
         .meaning = "places where a rule applies"},
        {.id = Moved, .name = "moved", .parameters = {Array, State}, .needed = 1, .unit = Unit::Bytes,
         .meaning = "bytes moved of one array of the listing"},
        {.id = Exponentials, .name = "exponentials", .parameters = {State}, .unit = Unit::Number,
         .meaning = "operators that the safe form makes safe"},
        {.id = RuleOf, .name = "rule", .parameters = {State}, .needed = 1, .unit = Unit::Rule,
         .meaning = "the rule that leads to a state of the algorithm's run"},
        {.id = Steps, .name = "steps", .unit = Unit::Number, .meaning = "steps of the algorithm's run"},
        {.id = Step, .name = "step", .unit = Unit::Number, .meaning = "the learner's step"},
        {.id = SizeOf, .name = "size", .parameters = {Dim}, .needed = 1, .unit = Unit::Number,
         .meaning = "elements of a dimension"},
        {.id = BlocksOf, .name = "blocks", .parameters = {Dim}, .needed = 1, .unit = Unit::Number,
         .meaning = "blocks of a dimension"},
        {.id = BlockOf, .name = "block", .parameters = {Dim}, .needed = 1, .unit = Unit::Number,
         .meaning = "elements of a block of a dimension"},
        {.id = Bytes, .name = "bytes", .parameters = {Array}, .needed = 1, .unit = Unit::Bytes,
         .meaning = "bytes of one input or output"},
        {.id = Bandwidth, .name = "bandwidth", .parameters = {Device}, .needed = 1, .unit = Unit::Bytes,
         .meaning = "bytes that its global memory moves in a second"},
        {.id = Rate, .name = "rate", .parameters = {Device, Type}, .needed = 2, .unit = Unit::Operations,
         .meaning = "operations of its matrix units in a second"},
        {.id = Capacity, .name = "capacity", .parameters = {Device}, .needed = 1, .unit = Unit::Bytes,
         .meaning = "local memory that one task may have there"},
        {.id = HStar, .name = "hstar", .parameters = {State, Number}, .needed = 2, .unit = Unit::Number,
         .meaning = "H*, in values, with a memory of so many values"},
        {.id = Law, .name = "law", .parameters = {State}, .unit = Unit::Formula,
         .meaning = "H* as a formula of sizes and memory"},
        {.id = Applied, .name = "applied", .parameters = {Rule, Place}, .needed = 1, .unit = Unit::Number,
         .meaning = "how often the learner's way has a rule"},
        {.id = Selected, .name = "selected", .parameters = {Node}, .needed = 1, .unit = Unit::Truth,
         .meaning = "whether the learner has selected an operator or a map; `\"value dot\"`: an arrow of what "
                    "it makes"},
        {.id = OnDevice, .name = "device", .parameters = {Device}, .needed = 1, .unit = Unit::Truth,
         .meaning = "whether the learner has chosen a device"},
        {.id = Opened, .name = "opened", .parameters = {File}, .needed = 1, .unit = Unit::Truth,
         .meaning = "whether a program is open"},
        {.id = Safe, .name = "safe", .unit = Unit::Truth,
         .meaning = "whether the learner looks at the safe form"},
        {.id = Measured, .name = "measured", .unit = Unit::Truth,
         .meaning = "whether the learner's state has been measured"},
        {.id = MeasuredTime, .name = "measured_time", .unit = Unit::Seconds, .meaning = "how long it took"},
    };
    // clang-format on
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
        if (unit->word == "us") return number + " \u00b5s";  // as seconds are written everywhere else
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
