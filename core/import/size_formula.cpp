#include "core/import/size_formula.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <numeric>

namespace blockscope::model {

// A recursive descent over the text; parts are appended as they are understood.
class FormulaReader {
public:
    explicit FormulaReader(const std::string& text) : text_(text) {}

    std::optional<SizeFormula> run() {
        if (text_.size() > kLongest || !sum(0) || !at_end()) return std::nullopt;
        return std::move(formula_);
    }

private:
    using Part = SizeFormula::Part;
    using Made = std::optional<std::size_t>;  // a part
    static constexpr std::size_t kLongest = 4096;
    static constexpr int kDeepest = 64;

    void skip_blanks() {
        while (at_ < text_.size() && text_[at_] == ' ') ++at_;
    }
    bool at_end() {
        skip_blanks();
        return at_ == text_.size();
    }
    bool take(const std::string& sign) {
        skip_blanks();
        if (text_.compare(at_, sign.size(), sign) != 0) return false;
        at_ += sign.size();
        return true;
    }

    Made add(FormulaOp op, std::vector<std::size_t> operands) {
        formula_.parts_.push_back({.op = op, .number = 0, .symbol = {}, .operands = std::move(operands)});
        return formula_.parts_.size() - 1;
    }
    Made add_number(std::int64_t number) {
        formula_.parts_.push_back({.op = FormulaOp::Number, .number = number, .symbol = {}, .operands = {}});
        return formula_.parts_.size() - 1;
    }
    Made add_symbol(std::string symbol) {
        formula_.parts_.push_back(
            {.op = FormulaOp::Symbol, .number = 0, .symbol = std::move(symbol), .operands = {}});
        return formula_.parts_.size() - 1;
    }

    Made sum(int depth) {
        Made left = term(depth);
        while (left) {
            const bool plus = take("+");
            if (!plus && !take("-")) break;
            const Made right = term(depth);
            left = right ? add(plus ? FormulaOp::Add : FormulaOp::Sub, {*left, *right}) : std::nullopt;
        }
        return left;
    }

    Made term(int depth) {
        Made left = factor(depth);
        while (left) {
            FormulaOp op = FormulaOp::Mul;
            if (take("//"))
                op = FormulaOp::FloorDiv;
            else if (take("/"))
                op = FormulaOp::Div;
            else if (take("%"))
                op = FormulaOp::Mod;
            else if (!take("*"))
                break;
            const Made right = factor(depth);
            left = right ? add(op, {*left, *right}) : std::nullopt;
        }
        return left;
    }

    Made factor(int depth) {
        if (depth > kDeepest) return std::nullopt;
        if (take("-")) {
            const Made inner = factor(depth + 1);
            const Made zero = add_number(0);
            return inner ? add(FormulaOp::Sub, {*zero, *inner}) : std::nullopt;
        }
        const Made base = atom(depth + 1);
        if (!base || !take("**")) return base;
        const Made exponent = factor(depth + 1);
        return exponent ? add(FormulaOp::Pow, {*base, *exponent}) : std::nullopt;
    }

    Made atom(int depth) {
        if (take("(")) {
            const Made inner = sum(depth);
            return take(")") ? inner : std::nullopt;
        }
        skip_blanks();
        if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0) return digits();
        const std::string name = word();
        if (name.empty()) return std::nullopt;
        return take("(") ? call(name, depth) : add_symbol(name);
    }

    Made digits() {
        std::int64_t value = 0;
        for (; at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0; ++at_)
            if (__builtin_mul_overflow(value, 10, &value) ||
                __builtin_add_overflow(value, text_[at_] - '0', &value))
                return std::nullopt;
        return add_number(value);
    }

    // Names may be those of modules: torch.utils._sympy.functions.FloorDiv is FloorDiv.
    std::string word() {
        std::string name;
        for (; at_ < text_.size(); ++at_) {
            const auto c = static_cast<unsigned char>(text_[at_]);
            if (std::isalnum(c) == 0 && c != '_' && c != '.') break;
            name += text_[at_];
        }
        return name.substr(name.rfind('.') + 1);
    }

    Made call(const std::string& name, int depth) {
        if (name == "Symbol") return symbol();
        std::vector<std::size_t> operands;
        do {
            const Made one = sum(depth);
            if (!one) return std::nullopt;
            operands.push_back(*one);
        } while (take(","));
        if (!take(")")) return std::nullopt;
        return applied(name, operands);
    }

    // 's0', and what is assumed of it.
    Made symbol() {
        if (!take("'")) return std::nullopt;
        const std::size_t end = text_.find('\'', at_);
        if (end == std::string::npos || end == at_) return std::nullopt;
        const std::string name = text_.substr(at_, end - at_);
        const auto letter = [](char c) {
            return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
        };
        if (!std::all_of(name.begin(), name.end(), letter)) return std::nullopt;
        const std::size_t close = text_.find(')', end);
        if (close == std::string::npos) return std::nullopt;
        at_ = close + 1;
        return add_symbol(name);
    }

    Made applied(const std::string& name, const std::vector<std::size_t>& operands) {
        static const std::map<std::string, FormulaOp> many = {{"Add", FormulaOp::Add},
                                                              {"Mul", FormulaOp::Mul},
                                                              {"Max", FormulaOp::Max},
                                                              {"Min", FormulaOp::Min}};
        static const std::map<std::string, FormulaOp> two = {
            {"Pow", FormulaOp::Pow},        {"PowByNatural", FormulaOp::Pow},
            {"Mod", FormulaOp::Mod},        {"PythonMod", FormulaOp::Mod},
            {"Rational", FormulaOp::Div},   {"FloorDiv", FormulaOp::FloorDiv},
            {"CleanDiv", FormulaOp::Div},   {"CeilDiv", FormulaOp::CeilDiv},
            {"IntTrueDiv", FormulaOp::Div}, {"FloatTrueDiv", FormulaOp::Div},
            {"sym_max", FormulaOp::Max},    {"sym_min", FormulaOp::Min}};
        if (operands.size() == 1) {
            if (name == "Integer") return operands[0];
            const bool down = name == "floor" || name == "FloorToInt" || name == "TruncToInt";
            if (!down && name != "ceiling" && name != "CeilToInt") return std::nullopt;
            const Made one = add_number(1);
            return add(down ? FormulaOp::FloorDiv : FormulaOp::CeilDiv, {operands[0], *one});
        }
        if (const auto found = many.find(name); found != many.end()) {
            std::size_t all = operands[0];
            for (std::size_t i = 1; i < operands.size(); ++i) all = *add(found->second, {all, operands[i]});
            return all;
        }
        const auto found = two.find(name);
        if (found == two.end() || operands.size() != 2) return std::nullopt;
        return add(found->second, operands);
    }

    const std::string& text_;
    std::size_t at_ = 0;
    SizeFormula formula_;
};

std::optional<SizeFormula> SizeFormula::parse(const std::string& text) {
    return FormulaReader(text).run();
}

std::vector<std::string> SizeFormula::symbols() const {
    std::vector<std::string> names;
    for (const Part& part : parts_)
        if (part.op == FormulaOp::Symbol && std::find(names.begin(), names.end(), part.symbol) == names.end())
            names.push_back(part.symbol);
    return names;
}

namespace {

// A fraction in lowest terms, above a positive number.
struct Ratio {
    std::int64_t above = 0;
    std::int64_t below = 1;
};
using MaybeRatio = std::optional<Ratio>;

MaybeRatio ratio(std::int64_t above, std::int64_t below) {
    if (below == 0 || above == INT64_MIN || below == INT64_MIN) return std::nullopt;
    const std::int64_t common = std::max<std::int64_t>(std::gcd(above, below), 1);
    const std::int64_t sign = below < 0 ? -1 : 1;
    return Ratio{sign * above / common, sign * below / common};
}

MaybeRatio sum_of_ratios(const Ratio& a, const Ratio& b, bool minus) {
    std::int64_t left = 0, right = 0, above = 0, below = 0;
    if (__builtin_mul_overflow(a.above, b.below, &left) || __builtin_mul_overflow(b.above, a.below, &right) ||
        __builtin_mul_overflow(a.below, b.below, &below))
        return std::nullopt;
    const bool over =
        minus ? __builtin_sub_overflow(left, right, &above) : __builtin_add_overflow(left, right, &above);
    return over ? std::nullopt : ratio(above, below);
}

MaybeRatio product_of_ratios(const Ratio& a, const Ratio& b) {
    std::int64_t above = 0, below = 0;
    if (__builtin_mul_overflow(a.above, b.above, &above) || __builtin_mul_overflow(a.below, b.below, &below))
        return std::nullopt;
    return ratio(above, below);
}

MaybeRatio quotient(const Ratio& a, const Ratio& b) {
    if (b.above == 0) return std::nullopt;
    const MaybeRatio turned = ratio(b.below, b.above);
    return turned ? product_of_ratios(a, *turned) : std::nullopt;
}

MaybeRatio rounded_down(const MaybeRatio& a) {
    if (!a) return std::nullopt;
    const std::int64_t whole = a->above / a->below;
    return Ratio{whole - (a->above % a->below < 0 ? 1 : 0), 1};
}

MaybeRatio power(Ratio base, const Ratio& exponent) {
    constexpr std::int64_t most = 64;
    if (exponent.below != 1 || exponent.above < -most || exponent.above > most) return std::nullopt;
    MaybeRatio result = Ratio{1, 1};
    for (std::int64_t i = std::abs(exponent.above); i > 0 && result; --i)
        result = product_of_ratios(*result, base);
    return result && exponent.above < 0 ? quotient({1, 1}, *result) : result;
}

MaybeRatio combined_ratios(FormulaOp op, const Ratio& a, const Ratio& b) {
    switch (op) {
        case FormulaOp::Add:
            return sum_of_ratios(a, b, false);
        case FormulaOp::Sub:
            return sum_of_ratios(a, b, true);
        case FormulaOp::Mul:
            return product_of_ratios(a, b);
        case FormulaOp::Div:
            return quotient(a, b);
        case FormulaOp::FloorDiv:
            return rounded_down(quotient(a, b));
        case FormulaOp::CeilDiv: {
            const MaybeRatio down = rounded_down(quotient({-a.above, a.below}, b));
            return down ? ratio(-down->above, 1) : std::nullopt;
        }
        case FormulaOp::Mod: {
            const MaybeRatio times = rounded_down(quotient(a, b));
            const MaybeRatio whole = times ? product_of_ratios(*times, b) : std::nullopt;
            return whole ? sum_of_ratios(a, *whole, true) : std::nullopt;
        }
        case FormulaOp::Pow:
            return power(a, b);
        case FormulaOp::Max:
        case FormulaOp::Min: {
            const MaybeRatio difference = sum_of_ratios(a, b, true);
            if (!difference) return std::nullopt;
            return (difference->above > 0) == (op == FormulaOp::Max) ? a : b;
        }
        case FormulaOp::Number:
        case FormulaOp::Symbol:
            break;
    }
    return std::nullopt;
}

}  // namespace

std::optional<std::int64_t> SizeFormula::value(const std::map<std::string, std::int64_t>& sizes) const {
    std::vector<Ratio> values;
    for (const Part& part : parts_) {
        MaybeRatio one;
        if (part.op == FormulaOp::Number) {
            one = Ratio{part.number, 1};
        } else if (part.op == FormulaOp::Symbol) {
            const auto found = sizes.find(part.symbol);
            if (found != sizes.end()) one = Ratio{found->second, 1};
        } else {
            one = combined_ratios(part.op, values[part.operands[0]], values[part.operands[1]]);
        }
        if (!one) return std::nullopt;
        values.push_back(*one);
    }
    const Ratio& all = values.back();
    return all.below == 1 && all.above >= 0 ? std::optional(all.above) : std::nullopt;
}

}  // namespace blockscope::model
