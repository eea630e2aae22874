#include "core/napkin/expression.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/support/result.h"

namespace blockscope::napkin {

namespace {

Expression of(const Factor& factor) {
    const Symbol size = size_symbol(factor.dim);
    const Symbol block = block_symbol(factor.dim);
    const Powers count{{size, 1}, {block, -1}};
    Expression result;
    switch (factor.kind) {
        case Factor::Kind::Size:
            return {1, {{size, 1}}};
        case Factor::Kind::Count:
            return {1, count};
        case Factor::Kind::First:
            return {1, {{block, 1}}};
        case Factor::Kind::LaterSize:
            result.add(1, {{size, 1}});
            result.add(-1, {{block, 1}});
            return result;
        case Factor::Kind::LaterCount:
            result.add(1, count);
            result.add(-1, {});
            return result;
        case Factor::Kind::Squares:
            return {1, {{size, 1}, {block, 1}}};
        case Factor::Kind::LaterSquares:
            result.add(1, {{size, 1}, {block, 1}});
            result.add(-1, {{block, 2}});
            return result;
    }
    throw InternalError("unknown factor");
}

std::string joined(const std::vector<std::string>& parts) {
    std::string text;
    for (const std::string& part : parts) text += (text.empty() ? "" : "·") + part;
    return text;
}

}  // namespace

std::string name(const Symbol& symbol, const DimTable& dims) {
    if (symbol.kind == Symbol::Kind::Memory) {
        const bool taken =
            std::any_of(dims.begin(), dims.end(), [](const Dim& dim) { return dim.name == "M"; });
        return taken ? "Mem" : "M";
    }
    const auto kind = symbol.kind == Symbol::Kind::Size ? Factor::Kind::Size : Factor::Kind::First;
    return blockscope::text(Factor{kind, symbol.dim}, dims);
}

std::string power_text(const std::string& base, const Rational& exponent) {
    if (exponent == Rational(1)) return base;
    if (exponent == Rational(2)) return base + "²";
    if (exponent == Rational(3)) return base + "³";
    return base + "^" + exponent.text();
}

std::string text(const Powers& powers, const DimTable& dims) {
    std::vector<std::string> above;
    std::vector<std::string> below;
    for (const auto& [symbol, exponent] : powers) {
        const bool negative = exponent < Rational(0);
        (negative ? below : above).push_back(power_text(name(symbol, dims), negative ? -exponent : exponent));
    }
    std::string result = above.empty() ? "1" : joined(above);
    if (below.size() == 1) result += "/" + below[0];
    if (below.size() > 1) result += "/(" + joined(below) + ")";
    return result;
}

Powers product(const Powers& a, const Powers& b) {
    Powers result = a;
    for (const auto& [symbol, exponent] : b) {
        const auto place = result.try_emplace(symbol, 0).first;
        place->second += exponent;
        if (place->second.is_zero()) result.erase(place);
    }
    return result;
}

Rational power_of(const Powers& powers, const Symbol& symbol) {
    const auto found = powers.find(symbol);
    return found == powers.end() ? Rational(0) : found->second;
}

double value(const Powers& powers, const Values& values) {
    double result = 1;
    for (const auto& [symbol, exponent] : powers) result *= std::pow(values(symbol), exponent.value());
    return result;
}

void Expression::add(const Rational& coefficient, const Powers& powers) {
    const auto place = terms_.try_emplace(powers, 0).first;
    place->second += coefficient;
    if (place->second.is_zero()) terms_.erase(place);
}

void Expression::add(const Expression& more) {
    for (const auto& [powers, coefficient] : more.terms_) add(coefficient, powers);
}

Expression Expression::with(const Symbol& symbol, const Powers& replacement) const {
    Expression result;
    for (const auto& [powers, coefficient] : terms_) {
        const Rational exponent = power_of(powers, symbol);
        Powers rest = powers;
        rest.erase(symbol);
        for (const auto& [other, power] : replacement) rest = product(rest, {{other, power * exponent}});
        if (exponent.is_zero()) rest = powers;
        result.add(coefficient, rest);
    }
    return result;
}

double Expression::value(const Values& values) const {
    double sum = 0;
    for (const auto& [powers, coefficient] : terms_)
        sum += coefficient.value() * napkin::value(powers, values);
    return sum;
}

std::string Expression::text(const DimTable& dims) const {
    std::string result;
    for (const auto& [powers, coefficient] : terms_) {
        const bool negative = coefficient < Rational(0);
        const Rational amount = negative ? -coefficient : coefficient;
        std::string part = napkin::text(powers, dims);
        if (powers.empty()) part = amount.text();
        if (!powers.empty() && amount != Rational(1))
            part = part.rfind("1/", 0) == 0 ? amount.text() + part.substr(1) : amount.text() + "·" + part;
        if (result.empty())
            result = negative ? "-" + part : part;
        else
            result += (negative ? " - " : " + ") + part;
    }
    return result.empty() ? "0" : result;
}

Expression times(const Expression& a, const Expression& b) {
    Expression result;
    for (const auto& [left, x] : a.terms())
        for (const auto& [right, y] : b.terms()) result.add(x * y, product(left, right));
    return result;
}

Expression expression(const Polynomial& polynomial) {
    Expression sum;
    for (const auto& [factors, coefficient] : polynomial.monomials()) {
        Expression term(coefficient, {});
        for (const Factor& factor : factors) term = times(term, of(factor));
        sum.add(term);
    }
    return sum;
}

}  // namespace blockscope::napkin
