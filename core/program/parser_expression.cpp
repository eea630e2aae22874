#include <algorithm>

#include "core/program/parser.h"

namespace blockscope {

SyntaxPtr Parser::make(Syntax syntax) {
    for (const SyntaxPtr& child : syntax.args) syntax.depth = std::max(syntax.depth, child->depth + 1);
    for (const NamedArgument& child : syntax.named)
        syntax.depth = std::max(syntax.depth, child.value->depth + 1);
    if (syntax.depth > kMaxSyntaxDepth) fail_deep(syntax.spot);
    if (++nodes_ > kMaxSyntaxNodes) fail_too_large();
    return std::make_unique<const Syntax>(std::move(syntax));
}

SyntaxPtr Parser::leaf(SyntaxKind kind, const Token& token) {
    Syntax syntax;
    syntax.kind = kind;
    syntax.spot = spot_of(token);
    syntax.value = token.value;
    syntax.text = token.text;
    return make(std::move(syntax));
}

SyntaxPtr Parser::binary(const Token& sign, char symbol, SyntaxPtr left, SyntaxPtr right) {
    Syntax syntax;
    syntax.kind = SyntaxKind::Binary;
    syntax.spot = spot_of(sign);
    syntax.symbol = symbol;
    syntax.args.push_back(std::move(left));
    syntax.args.push_back(std::move(right));
    return make(std::move(syntax));
}

SyntaxPtr Parser::sum() {
    SyntaxPtr left = product();
    while (token_.is("+") || token_.is("-")) {
        const Token sign = token_;
        advance();
        left = binary(sign, sign.text[0], std::move(left), product());
    }
    return left;
}

SyntaxPtr Parser::product() {
    SyntaxPtr left = negation();
    while (token_.is("*") || token_.is("/") || token_.is("@")) {
        const Token sign = token_;
        advance();
        left = binary(sign, sign.text[0], std::move(left), negation());
    }
    return left;
}

// A minus before a literal number belongs to the number.
SyntaxPtr Parser::negation() {
    if (!token_.is("-")) return power();
    const Nesting nesting(*this);
    const Token sign = token_;
    advance();
    SyntaxPtr operand = negation();
    Syntax syntax;
    syntax.spot = spot_of(sign);
    if (operand->kind == SyntaxKind::Number) {
        syntax.kind = SyntaxKind::Number;
        syntax.value = -operand->value;
    } else {
        syntax.kind = SyntaxKind::Negate;
        syntax.args.push_back(std::move(operand));
    }
    return make(std::move(syntax));
}

SyntaxPtr Parser::power() {
    SyntaxPtr base = postfix();
    if (!token_.is("^") && !token_.is("**")) return base;
    const Nesting nesting(*this);
    const Token sign = token_;
    advance();
    return binary(sign, '^', std::move(base), negation());
}

SyntaxPtr Parser::postfix() {
    SyntaxPtr operand = primary();
    while (token_.is(".")) {
        Syntax syntax;
        syntax.kind = SyntaxKind::Transpose;
        syntax.spot = spot_of(token_);
        advance();
        if (!token_.is_name("T")) fail("'T' after the dot, the transpose, as in K.T");
        advance();
        syntax.args.push_back(std::move(operand));
        operand = make(std::move(syntax));
    }
    return operand;
}

SyntaxPtr Parser::primary() {
    const Nesting nesting(*this);
    const Token token = token_;
    if (token.kind == TokenKind::Number || token.kind == TokenKind::String) {
        advance();
        return leaf(token.kind == TokenKind::Number ? SyntaxKind::Number : SyntaxKind::String, token);
    }
    if (token.is("(")) {
        advance();
        SyntaxPtr inner = expression();
        close(token);
        return inner;
    }
    if (token.kind != TokenKind::Name || keyword(token)) {
        fail("a name, a number, a function or '('");
    }
    advance();
    if (!token_.is("(")) return leaf(SyntaxKind::Name, token);
    return token.is_name("elementwise") ? elementwise(token) : call(token);
}

void Parser::close(const Token& open) {
    if (token_.is(")")) return advance();
    fail("an operator or ')' for the '(' at " + place_of(open));
}

void Parser::argument(Syntax& call) {
    if (call.args.size() + call.named.size() == kMaxArguments) fail("at most 64 arguments");
    if (token_.kind == TokenKind::Name && peek().is("=")) {
        NameSyntax parameter = name("the name of an argument");
        advance();
        call.named.push_back({std::move(parameter), expression()});
        return;
    }
    if (!call.named.empty())
        fail("no further argument without a name after " + call.named.back().name.text + "=");
    call.args.push_back(expression());
}

SyntaxPtr Parser::call(const Token& function) {
    Syntax syntax;
    syntax.kind = SyntaxKind::Call;
    syntax.spot = spot_of(function);
    syntax.text = function.text;
    const Token open = token_;
    advance();
    if (!token_.is(")")) {
        do argument(syntax);
        while (accept(","));
    }
    if (!token_.is(")")) {
        fail("an operator, ',' or ')' for the '(' at " + place_of(open));
    }
    advance();
    return make(std::move(syntax));
}

SyntaxPtr Parser::elementwise(const Token& function) {
    Syntax syntax;
    syntax.kind = SyntaxKind::Elementwise;
    syntax.spot = spot_of(function);
    const Token open = token_;
    advance();
    const char* form = "a parameter, as in elementwise(x, y: x * exp(y), A, B)";
    do {
        if (syntax.parameters.size() == kMaxArguments) fail("at most 64 parameters");
        syntax.parameters.push_back(name(form));
    } while (accept(","));
    expect(":", "',' or ':' after the parameter " + syntax.parameters.back().text +
                    ", as in elementwise(x, y: x * exp(y), A, B)");
    syntax.args.push_back(expression());
    while (accept(",")) {
        if (syntax.args.size() > syntax.parameters.size()) fail("one array for each parameter");
        syntax.args.push_back(expression());
    }
    close(open);
    return make(std::move(syntax));
}

}  // namespace blockscope
