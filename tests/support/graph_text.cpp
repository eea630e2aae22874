#include "tests/support/graph_text.h"

#include <algorithm>
#include <cctype>
#include <sstream>
#include <stdexcept>

#include "core/graph/graph.h"

namespace blockscope::test {

namespace {

// Letters used as dimensions, each with its own number of blocks and block size.
DimTable letter_dims() {
    DimTable dims;
    const int blocks[] = {2, 3, 2, 3, 2};
    const int sizes[] = {2, 1, 3, 2, 1};
    const std::string letters = "MNKDLXY";
    for (std::size_t i = 0; i < letters.size(); ++i) {
        const int block = sizes[i % 5];
        const int size = blocks[i % 5] * block - (block > 2 ? 1 : 0);
        dims.push_back({std::string(1, letters[i]), size, block, DimKind::Blocked});
    }
    return dims;
}

// A line for every node: "u = map M i:X {t = exp X; -> t}" is four.
std::string one_node_a_line(const std::string& text) {
    std::string lines;
    for (const char c : text) {
        if (c == '}') lines += '\n';
        lines += c == ';' ? '\n' : c;
        if (c == '{' || c == '}') lines += '\n';
    }
    return lines;
}

class Reader {
public:
    explicit Reader(const std::string& text) : in_(one_node_a_line(text)), dims_(letter_dims()), ids_(1) {}

    NamedProgram read() {
        Builder builder(dims_, ids_);
        Names names;
        level(builder, names, "", nullptr);
        result_.program =
            std::make_shared<const BlockProgram>(BlockProgram{dims_, builder.finish(), ids_.next()});
        return std::move(result_);
    }

private:
    using Names = std::map<std::string, ValueRef>;

    [[noreturn]] void wrong(const std::string& line) const {
        throw std::runtime_error("graph text: " + line);
    }

    DimId dim(char letter) const {
        for (std::size_t i = 0; i < dims_.size(); ++i)
            if (dims_[i].name[0] == letter) return {static_cast<std::uint16_t>(i)};
        throw std::runtime_error(std::string("graph text: no dimension ") + letter);
    }

    Type type(const std::string& text) const {
        const std::size_t bar = text.find('|');
        const std::string axes = text.substr(bar + 1);
        Item item = Item::scalar();
        if (axes.size() == 1) item = Item::vector(dim(axes[0]));
        if (axes.size() == 2) item = Item::block(dim(axes[0]), dim(axes[1]));
        Type result(item, ElemType::F32);
        for (std::size_t i = bar; i > 0; --i) result = result.list_over(dim(text[i - 1]));
        return result;
    }

    ValueRef value(const Names& names, std::string name) const {
        if (const auto whole = names.find(name); whole != names.end()) return whole->second;
        int first = 0;
        int port = 0;
        if (const std::size_t at = name.find('@'); at != std::string::npos) {
            first = std::stoi(name.substr(at + 1));
            name.resize(at);
        }
        if (const std::size_t dot = name.find('.'); dot != std::string::npos) {
            port = std::stoi(name.substr(dot + 1));
            name.resize(dot);
        }
        const auto found = names.find(name);
        if (found == names.end()) wrong("no value " + name);
        return {found->second.node, static_cast<std::uint16_t>(port), static_cast<std::uint16_t>(first)};
    }

    // Reads lines up to the closing brace (or the end). `outputs` receives the modes of a body's outputs.
    void level(Builder& builder, Names& names, const std::string& prefix, std::vector<MapOutput>* outputs) {
        for (std::string line; std::getline(in_, line);) {
            std::istringstream words(line);
            std::string first;
            if (!(words >> first)) continue;
            if (first == "}") return;
            if (outputs && first.back() == '>') {
                std::string name;
                words >> name;
                builder.output(value(names, name));
                outputs->push_back(way_out(first));
                continue;
            }
            const ValueRef made = statement(builder, names, prefix, first, words, line);
            result_.ids[prefix + (first.back() == ':' ? first.substr(0, first.size() - 1) : first)] =
                made.node;
        }
    }

    static MapOutput way_out(const std::string& arrow) {
        if (arrow == "->") return {PortOut::Collected, 0};
        if (arrow == "+>") return {PortOut::ReducedSum, 0};
        if (arrow == "^>") return {PortOut::ReducedMax, 0};
        return {PortOut::Carried, std::stod(arrow.substr(1))};  // "=0>"
    }

    ValueRef statement(Builder& builder, Names& names, const std::string& prefix, const std::string& first,
                       std::istringstream& words, const std::string& line) {
        if (first.back() == ':') {
            std::string text;
            words >> text;
            const std::string name = first.substr(0, first.size() - 1);
            return names[name] = builder.input(type(text), Input{name});
        }
        std::string equals;
        std::string op;
        if (!(words >> equals >> op) || equals != "=") wrong(line);
        if (op == "map") return names[first] = map(builder, names, prefix + first + "/", words);
        if (op == "out") {
            std::string name;
            words >> name;
            return {builder.output(value(names, name), first)};
        }
        return names[first] = operation(builder, names, op, words, line);
    }

    ValueRef operation(Builder& builder, const Names& names, const std::string& op, std::istringstream& words,
                       const std::string& line) {
        std::vector<std::string> args;
        for (std::string word; words >> word;) args.push_back(word);
        if (op == "sum" || op == "max")
            return builder.reduce(op == "sum" ? ReduceOp::Sum : ReduceOp::Max, dim(args.at(0)[0]),
                                  value(names, args.at(1)));
        if (op == "misc") return misc(builder, names, args);
        std::vector<ValueRef> inputs;
        inputs.reserve(args.size());
        for (const std::string& name : args) inputs.push_back(value(names, name));
        if (const ExprPtr expr = expression(op)) return builder.elementwise(expr, inputs);
        if (op == "narrow") return builder.cast(ElemType::F16, inputs.at(0));
        if (op == "wide") return builder.cast(ElemType::F32, inputs.at(0));
        for (int i = 0; i < kFunctionalOpCount; ++i)
            if (to_string(static_cast<FunctionalOp>(i)) == op)
                return builder.functional(static_cast<FunctionalOp>(i), inputs);
        wrong(line);
    }

    // misc NAME INPUT... : TYPE...
    ValueRef misc(Builder& builder, const Names& names, const std::vector<std::string>& args) const {
        const auto colon = std::find(args.begin(), args.end(), ":");
        std::vector<ValueRef> inputs;
        for (auto arg = args.begin() + 1; arg != colon; ++arg) inputs.push_back(value(names, *arg));
        std::vector<Type> types;
        for (auto arg = colon + 1; arg != args.end(); ++arg) types.push_back(type(*arg));
        return builder.misc(args.at(0), inputs, types)[0];
    }

    static ExprPtr expression(const std::string& op) {
        if (op == "exp") return call(Fn::Exp, arg(0));
        if (op == "neg") return call(Fn::Neg, arg(0));
        if (op == "square") return call(Fn::Pow, arg(0), number(2));
        if (op == "inverse") return call(Fn::Div, number(1), arg(0));
        if (op == "mul2") return call(Fn::Mul, arg(0), arg(1));
        if (op == "plus2") return call(Fn::Add, arg(0), arg(1));
        return nullptr;
    }

    ValueRef map(Builder& builder, const Names& names, const std::string& prefix, std::istringstream& words) {
        std::string word;
        words >> word;
        Map map;
        map.dim = dim(word[0]);
        if (word.size() > 1) map.start = std::stoi(word.substr(1));
        std::vector<ValueRef> inputs;
        Builder body(dims_, ids_);
        Names inside;
        while (words >> word && word != "{") {
            const std::size_t colon = word.find(':', 2);
            const std::string name = word.substr(2, colon - 2);
            const std::string port = colon == std::string::npos ? name : word.substr(colon + 1);
            if (word[0] == 'k') {
                inside[name] = body.input(type(port));
                continue;
            }
            const ValueRef ref = value(names, name);
            inputs.push_back(ref);
            if (std::isdigit(static_cast<unsigned char>(word[0]))) {
                map.inputs.push_back({PortIn::Continued, word[0] - '0'});
                continue;
            }
            const bool iterated = word[0] == 'i';
            map.inputs.push_back({iterated ? PortIn::Iterated : PortIn::Broadcast, -1});
            const Type outer = builder.type(ref);
            inside[port] = body.input(iterated ? outer.element() : outer);
        }
        level(body, inside, prefix, &map.outputs);
        map.body = body.finish();
        return builder.map(std::move(map), inputs)[0];
    }

    std::istringstream in_;
    DimTable dims_;
    IdSource ids_;
    NamedProgram result_;
};

}  // namespace

NamedProgram graph_from_text(const std::string& text) {
    return Reader(text).read();
}

}  // namespace blockscope::test
