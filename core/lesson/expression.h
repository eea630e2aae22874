// The small language in which lessons say what they expect: numbers and conditions over a program's real
// values, so that a lesson types no number that the program can compute.
//
//     traffic(step 17) < 100 MB
//     (traffic(0) - traffic(last)) / traffic(0)
//     applied(4) and kernels == 1
//
// Sums, products, comparisons, `and`, `or`, `not`; numbers with units; functions of a state, of a dimension,
// of an array, of a device and of what the learner has done (functions() lists them).
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/support/result.h"

namespace blockscope::lesson {

// What a value counts. Comparisons and sums want the same on both sides.
enum class Unit : std::uint8_t { Number, Bytes, Seconds, Operations, Truth, Rule, Other, Formula };

struct Value {
    double number = 0;  // bytes, seconds; 1 or 0 of Truth; the index in rules() of Rule
    Unit unit = Unit::Number;
    std::string formula = {};  // of Formula: its text; such a value can only be said
};

// A unit as it is written: "MB" is 1e6 bytes.
struct UnitWord {
    std::string_view word;
    double factor;
    Unit unit;
};
const std::vector<UnitWord>& unit_words();
const UnitWord* find_unit(std::string_view word);  // null if there is none

// What a function takes.
enum class Parameter : std::uint8_t {
    State,   // now, step 7 or 7, snapshot 1, last, best (least traffic), fastest
    Rule,    // 4, 6a, "Fuse Consecutive Maps"
    Place,   // "top", "M", "M/N": the dimensions of the maps around a level
    Dim,     // M
    Array,   // "Q"
    Node,    // "dot", "forall M", "n17"
    Device,  // "h100-sxm5"
    Type,    // bf16
    File,    // "attention.bp"
    Number,  // an expression
};

enum class FunctionId : std::uint8_t {
    Traffic,
    Between,
    Operations,
    Buffered,
    Kernels,
    Tasks,
    Local,
    Least,
    Intensity,
    Time,
    Matches,
    Moved,
    Exponentials,
    RuleOf,
    Steps,
    Step,
    SizeOf,
    BlocksOf,
    BlockOf,
    Bytes,
    Bandwidth,
    Rate,
    Capacity,
    HStar,
    Law,
    Applied,
    Selected,
    OnDevice,
    Opened,
    Safe,
    Measured,
    MeasuredTime,
};

struct Function {
    FunctionId id;
    std::string_view name;
    std::vector<Parameter> parameters;
    int needed;  // parameters that cannot be left out; a state left out is `now`
    Unit unit;
    std::string_view meaning;  // for the page: "bytes between global and local memory"
};
const std::vector<Function>& functions();
const Function& function(FunctionId id);

struct Expression;

struct Argument {
    std::string text;  // without quotes; of a state "step 7", "last"
    Place place;
    std::vector<Expression> number;  // of Parameter::Number: one
};

struct Expression {
    enum class Kind : std::uint8_t { Literal, Call, Negate, Not, Binary };
    Kind kind = Kind::Literal;
    Value literal = {};
    FunctionId function = FunctionId::Traffic;
    std::vector<Argument> arguments = {};
    std::string op = {};  // of Binary: + - * / < <= > >= == != and or
    std::vector<Expression> operands = {};
    std::string text = {};  // as it is written
    Place place = {};
};

// Reads expressions out of a line, one after another: what is left behind is the caller's.
class ExpressionReader {
public:
    // `place` is that of the first byte of `text`.
    ExpressionReader(std::string_view text, Place place) : text_(text), place_(std::move(place)) {}

    Result<Expression> condition();  // with comparisons, `and`, `or`, `not`
    Result<Expression> sum();        // a number
    bool at_end();
    // Whether the next word is `word`, which is then passed: "in", "within", "by".
    bool takes(std::string_view word);
    std::string_view word();       // the next word, passed; empty if there is none
    const UnitWord* takes_unit();  // the next word if it is a unit, which is then passed; else null
    std::string_view rest() const { return text_.substr(at_); }
    Place here();  // of what comes next
    Problem problem(const std::string& message);

private:
    Result<Expression> disjunction();
    Result<Expression> conjunction();
    Result<Expression> negation();
    Result<Expression> comparison();
    Result<Expression> product();
    Result<Expression> factor();
    Result<Expression> number();
    Result<Expression> call();
    Result<std::vector<Argument>> arguments(const Function& function);
    Result<Argument> argument(Parameter parameter);
    Result<Expression> chain(Result<Expression> (ExpressionReader::*part)(),
                             const std::vector<std::string_view>& operators);
    bool takes_sign(std::string_view sign);
    void skip();
    Place place_at(std::size_t offset) const;
    std::string_view peek_word();

    std::string_view text_;
    Place place_;
    std::size_t at_ = 0;
    int depth_ = 0;
};

// The whole text as one condition or number.
Result<Expression> read_condition(std::string_view text, const Place& place);
Result<Expression> read_number(std::string_view text, const Place& place);

// "538 MB", "249 us", "85%", "4096", "yes", "rule 4 (...)": a value for people; in `unit` if one is named.
std::string to_text(const Value& value, const UnitWord* unit = nullptr);

}  // namespace blockscope::lesson
