#include "tests/support/listing_reader.h"

#include <algorithm>
#include <cctype>
#include <optional>
#include <set>
#include <utility>

#include "tests/support/listing_syntax.h"

namespace blockscope::reader {

namespace {

using Tuple = std::vector<std::int64_t>;

struct LoopState {
    std::string variable;
    DimId dim;
    std::int64_t index = 0;
};

// When temporaries hold values that are still read, found out as it happens: a value is alive from when
// it is set to when it is read last.
class ValueLives {
public:
    void next() { ++time_; }
    void set(int temporary, std::int64_t size) {
        const auto found = open_.find(temporary);
        if (found != open_.end() && found->second.last == time_) return grow(temporary, size);  // in place
        end(temporary);
        open_[temporary] = {time_, time_, size};
    }
    void grow(int temporary, std::int64_t size) {
        Life& life = open_[temporary];
        life.last = time_;
        life.size = std::max(life.size, size);
    }
    void read(int temporary) { open_[temporary].last = time_; }

    // The most that was alive at one time.
    std::int64_t most() {
        while (!open_.empty()) end(open_.begin()->first);
        std::int64_t alive = 0;
        std::int64_t most = 0;
        for (const auto& [time, change] : changes_) most = std::max(most, alive += change);
        return most;
    }

private:
    struct Life {
        std::int64_t first = 0;
        std::int64_t last = 0;
        std::int64_t size = 0;
    };

    void end(int temporary) {
        const auto found = open_.find(temporary);
        if (found == open_.end()) return;
        changes_[found->second.first] += found->second.size;
        changes_[found->second.last + 1] -= found->second.size;
        open_.erase(found);
    }

    std::int64_t time_ = 0;
    std::map<int, Life> open_;
    std::map<std::int64_t, std::int64_t> changes_;
};

// What the listing stores to: outputs and intermediates.
struct Stored {
    std::map<Tuple, Value> elements;
    std::vector<std::optional<DimId>> dims;  // of each index, as far as known
};

class Machine {
public:
    Machine(const Signature& signature, const Tensors<double>& inputs, ForallOrder order, Work& work)
        : signature_(signature), inputs_(inputs), order_(order), work_(work) {
        for (const auto& [name, decl] : signature.outputs)
            stored_[name].dims.assign(decl.dims.begin(), decl.dims.end());
    }

    void run(const std::vector<Line>& lines) {
        find_misc(lines);
        for (const Line& line : lines) {
            ++work_.launches;
            work_.tasks.push_back(0);
            if (line.kind != Line::Kind::Loop || !line.parallel) work_.tasks.back() = 1;
            block(line);
        }
        work_.local_values = lives_.most();
    }

    Tensors<double> outputs() const {
        Tensors<double> result;
        for (const auto& [name, decl] : signature_.outputs) {
            Tensor<double>& tensor = result[name];
            tensor = blank(decl);
            const std::map<Tuple, Value>& elements = stored_.at(name).elements;
            for (const Tuple& index : all_indices(decl, signature_.dims)) {
                const auto found = elements.find(index);
                if (found == elements.end()) throw ListingError("not all of " + name + " is stored");
                put(tensor, decl, signature_.dims, index, found->second);
            }
        }
        return result;
    }

private:
    Tensor<double> blank(const ArrayDecl& decl) const {
        Tensor<double> tensor{array_shape(decl, signature_.dims), {}};
        std::int64_t size = 1;
        for (const std::int64_t extent : tensor.shape) size *= extent;
        tensor.data.assign(static_cast<std::size_t>(size), 0.0);
        return tensor;
    }

    void find_misc(const std::vector<Line>& lines) {
        for (const Line& line : lines) {
            if (line.kind == Line::Kind::Loop) find_misc(line.body);
            if (line.kind != Line::Kind::Misc) continue;
            const std::size_t next = misc_.size();
            if (next >= signature_.misc.size() || signature_.misc[next].name != line.name)
                throw ListingError("line " + std::to_string(line.number) + ": there is no operator " +
                                   line.name);
            misc_[&line] = &signature_.misc[next];
        }
    }

    void block(const std::vector<Line>& lines) {
        for (const Line& line : lines) block(line);
    }

    void block(const Line& line) {
        if (line.kind == Line::Kind::Loop) return loop(line);
        try {
            lives_.next();
            statement(line);
        } catch (const ListingError& error) {
            throw ListingError("line " + std::to_string(line.number) + ": " + error.what());
        }
    }

    // ---- loops

    DimId dim(const std::string& name) const {
        for (std::size_t i = 0; i < signature_.dims.size(); ++i)
            if (signature_.dims[i].name == name) return {static_cast<std::uint16_t>(i)};
        throw ListingError("there is no dimension " + name);
    }

    void check_variable(const Line& line) const {
        std::string plain = line.dim;
        for (char& c : plain) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
        bool nested = false;
        for (const LoopState& around : loops_) {
            if (around.variable == line.variable)
                throw ListingError("the variable " + line.variable + " is in use");
            nested = nested || around.dim == dim(line.dim);
        }
        const bool numbered =
            line.variable.size() > plain.size() && line.variable.compare(0, plain.size(), plain) == 0 &&
            line.variable.find_first_not_of("0123456789", plain.size()) == std::string::npos;
        if (nested ? !numbered : line.variable != plain)
            throw ListingError("the variable " + line.variable + " is not named after " + line.dim);
    }

    void loop(const Line& line) {
        try {
            check_variable(line);
            if (line.parallel) check_parallel(line);
        } catch (const ListingError& error) {
            throw ListingError("line " + std::to_string(line.number) + ": " + error.what());
        }
        std::set<int> kept;  // what the loop carries from one iteration to the next
        for (const int temporary : line.assigned)
            if (temporaries_.count(temporary) > 0) kept.insert(temporary);
        for (const int temporary : line.accumulators) {
            kept.insert(temporary);
            lives_.next();
            lives_.set(temporary, 1);
            temporaries_[temporary] = Value::literal(0);
        }
        const std::int64_t end = signature_.dims.at(dim(line.dim).value).blocks();
        loops_.push_back({line.variable, dim(line.dim), 0});
        const bool around = tasks_nested_;
        tasks_nested_ = around && line.parallel;
        const bool innermost =
            line.body.size() != 1 || line.body[0].kind != Line::Kind::Loop || !line.body[0].parallel;
        if (tasks_nested_ && innermost) work_.tasks.back() += end - line.start;
        if (innermost) tasks_nested_ = false;
        for (std::int64_t i = line.start; i < end; ++i) {
            const bool backward = line.parallel && order_ == ForallOrder::Backward;
            loops_.back().index = backward ? end - 1 - i + line.start : i;
            forget(line.assigned, kept);
            block(line.body);
        }
        if (line.parallel) forget(line.assigned, {});
        tasks_nested_ = around;
        loops_.pop_back();
    }

    void check_parallel(const Line& line) const {
        if (!line.accumulators.empty())
            throw ListingError("iterations of a forall loop add to the same temporary");
        for (const int temporary : line.assigned)
            if (temporaries_.count(temporary) > 0)
                throw ListingError("iterations of a forall loop set t" + std::to_string(temporary) +
                                   " of outside");
    }

    void forget(const std::set<int>& temporaries, const std::set<int>& kept) {
        for (const int temporary : temporaries)
            if (kept.count(temporary) == 0) temporaries_.erase(temporary);
    }

    // ---- statements

    void statement(const Line& line) {
        switch (line.kind) {
            case Line::Kind::Loop:
                return;
            case Line::Kind::Load:
                set(line.temporary, load(line.access));
                ++work_.arrays[line.access.array].loads;
                work_.arrays[line.access.array].loaded_values += size(temporaries_[line.temporary]);
                return;
            case Line::Kind::Store:
                ++work_.arrays[line.access.array].stores;
                work_.arrays[line.access.array].stored_values += size(get(line.temporary));
                return store(line.access, get(line.temporary));
            case Line::Kind::Functional:
                count(line);
                return set(line.temporary, call(line));
            case Line::Kind::AddFunctional:
                count(line);
                if (line.name != "dot")
                    work_.vector += size(call(line));  // a dot's sum is in its multiply-adds
                return add(line.temporary, call(line));
            case Line::Kind::AddTemporary:
                work_.vector += size(get(line.args.at(0)));
                return add(line.temporary, get(line.args.at(0)));
            case Line::Kind::Assign:
                set(line.temporary, evaluate(line.formula));
                if (is_constant(line.formula)) temporaries_[line.temporary].loose = true;
                return;
            case Line::Kind::Misc:
                return misc(line);
        }
    }

    const Value& get(int temporary) const {
        const auto found = temporaries_.find(temporary);
        if (found == temporaries_.end())
            throw ListingError("t" + std::to_string(temporary) + " is not set here");
        lives_.read(temporary);
        return found->second;
    }

    void set(int temporary, Value value) {
        lives_.set(temporary, size(value));
        temporaries_[temporary] = std::move(value);
    }

    Value call(const Line& line) const {
        std::vector<Value> args;
        for (const int temporary : line.args) args.push_back(get(temporary));
        return functional(line.name, args);
    }

    static std::int64_t size(const Value& value) { return static_cast<std::int64_t>(value.data.size()); }

    // The operations of a functional operator that is run once.
    void count(const Line& line) {
        const Value& a = get(line.args.at(0));
        const Value& b = get(line.args.back());
        if (line.name == "dot") {
            work_.matrix += 2 * a.rows * a.cols * b.rows;
        } else {
            work_.vector += line.name == "outer" ? a.rows * b.rows : size(a);
        }
    }

    void count(const Formula& formula, const Value& result) const {
        if (is_constant(formula)) return;
        static const std::set<std::string> kSpecial = {"exp", "log", "sqrt", "tanh", "erf", "sin", "cos"};
        const bool square = formula.name == "**" && formula.args[1].kind == Formula::Kind::Number &&
                            formula.args[1].number == 2;
        const bool special = kSpecial.count(formula.name) > 0 || (formula.name == "**" && !square);
        (special ? work_.special : work_.vector) += size(result);
    }

    void add(int temporary, const Value& value) {
        if (loops_.empty()) throw ListingError("+= outside of all loops");
        const Value& sum = get(temporary);
        if (!sum.loose && (sum.ndim != value.ndim || sum.rows != value.rows || sum.cols != value.cols))
            throw ListingError("a " + value.shape() + " cannot be added to a " + sum.shape());
        Value result = elementwise("+", {sum, value});
        lives_.grow(temporary, size(result));
        temporaries_[temporary] = std::move(result);
    }

    static bool is_constant(const Formula& formula) {
        return formula.kind != Formula::Kind::Temporary &&
               std::all_of(formula.args.begin(), formula.args.end(), is_constant);
    }

    Value evaluate(const Formula& formula) const {
        switch (formula.kind) {
            case Formula::Kind::Number:
                return Value::scalar(formula.number);
            case Formula::Kind::Temporary:
                return get(formula.temporary);
            case Formula::Kind::Size:
                return Value::scalar(static_cast<double>(signature_.dims.at(dim(formula.name).value).size));
            case Formula::Kind::Call:
                break;
        }
        std::vector<Value> args;
        for (const Formula& part : formula.args) args.push_back(evaluate(part));
        Value result = elementwise(formula.name, args);
        count(formula, result);
        return result;
    }

    // ---- memory

    const LoopState& variable(const std::string& name) const {
        for (const LoopState& loop : loops_)
            if (loop.variable == name) return loop;
        throw ListingError("there is no loop variable " + name);
    }

    Tuple tuple(const Access& access) const {
        Tuple index;
        for (const std::string& name : access.indices)
            index.push_back(name == "0" ? 0 : variable(name).index);
        return index;
    }

    // Every index of an array runs along one dimension, the same everywhere.
    void check_dims(const Access& access, std::vector<std::optional<DimId>>& dims) const {
        if (dims.size() != access.indices.size())
            throw ListingError("a wrong number of indices of " + access.array);
        for (std::size_t i = 0; i < dims.size(); ++i) {
            if (access.indices[i] == "0") continue;
            const DimId found = variable(access.indices[i]).dim;
            if (dims[i] && *dims[i] != found)
                throw ListingError("the index " + access.indices[i] + " of " + access.array +
                                   " is of another dimension");
            dims[i] = found;
        }
    }

    Value load_input(const Access& access, const std::string& name, bool transpose) const {
        const ArrayDecl& decl = signature_.inputs.at(name);
        const ArrayDecl read = transpose ? transposed(decl) : decl;
        std::vector<std::optional<DimId>> dims(read.dims.begin(), read.dims.end());
        check_dims(access, dims);
        Tuple index = tuple(access);
        if (!transpose) return cut(inputs_.at(name), decl, signature_.dims, index);
        const Axes axes(decl);
        std::swap(index.at(static_cast<std::size_t>(axes.rows)),
                  index.at(static_cast<std::size_t>(axes.cols)));
        return transposed(cut(inputs_.at(name), decl, signature_.dims, index));
    }

    Value load(const Access& access) {
        if (signature_.inputs.count(access.array) > 0) return load_input(access, access.array, false);
        const auto found = stored_.find(access.array);
        if (found != stored_.end()) {
            check_dims(access, found->second.dims);
            const auto element = found->second.elements.find(tuple(access));
            if (element == found->second.elements.end())
                throw ListingError("this element of " + access.array + " is not stored yet");
            return element->second;
        }
        const std::string base = access.array.substr(0, access.array.size() - 1);
        if (access.array.back() == 'T' && signature_.inputs.count(base) > 0)
            return load_input(access, base, true);
        throw ListingError("there is no array " + access.array);
    }

    void store(const Access& access, const Value& value) {
        if (signature_.inputs.count(access.array) > 0) throw ListingError(access.array + " is an input");
        const auto [place, fresh] = stored_.try_emplace(access.array);
        if (fresh) place->second.dims.resize(access.indices.size());
        check_dims(access, place->second.dims);
        put_element(access.array, tuple(access), value);
    }

    void put_element(const std::string& array, Tuple index, const Value& value) {
        if (!value.loose && value.has_loose_extent())
            throw ListingError("the shape of what is stored is not known");
        const auto output = signature_.outputs.find(array);
        if (output != signature_.outputs.end()) check_shape(output->second, signature_.dims, index, value);
        if (!stored_[array].elements.emplace(std::move(index), value).second)
            throw ListingError("an element of " + array + " is stored twice");
    }

    // ---- miscellaneous operators

    void misc(const Line& line) {
        const MiscDecl& decl = *misc_.at(&line);
        if (line.inputs.size() != decl.inputs.size() || line.outputs.size() != decl.outputs.size())
            throw ListingError(line.name + " takes or gives another number of arrays");
        std::vector<Tensor<double>> args;
        for (std::size_t i = 0; i < line.inputs.size(); ++i)
            args.push_back(gather(line.inputs[i], decl.inputs[i]));
        const std::vector<Tensor<double>> results = signature_.misc_meaning(decl, args);
        for (std::size_t i = 0; i < line.outputs.size(); ++i) {
            const Tuple prefix = tuple(line.outputs[i]);
            Stored& stored = stored_[line.outputs[i].array];
            stored.dims.resize(prefix.size() + decl.outputs[i].dims.size());
            for (Tuple index : all_indices(decl.outputs[i], signature_.dims)) {
                const Value value = cut(results.at(i), decl.outputs[i], signature_.dims, index);
                ++work_.arrays[line.outputs[i].array].stores;
                work_.arrays[line.outputs[i].array].stored_values += size(value);
                index.insert(index.begin(), prefix.begin(), prefix.end());
                put_element(line.outputs[i].array, std::move(index), value);
            }
        }
    }

    Tensor<double> gather(const Access& access, const ArrayDecl& decl) {
        Tensor<double> tensor = blank(decl);
        const Tuple prefix = tuple(access);
        for (const Tuple& index : all_indices(decl, signature_.dims)) {
            Tuple whole = prefix;
            whole.insert(whole.end(), index.begin(), index.end());
            const Value value = element(access.array, whole);
            ++work_.arrays[access.array].loads;
            work_.arrays[access.array].loaded_values += size(value);
            put(tensor, decl, signature_.dims, index, value);
        }
        return tensor;
    }

    Value element(const std::string& array, const Tuple& index) const {
        const auto found = stored_.find(array);
        if (found != stored_.end()) {
            const auto value = found->second.elements.find(index);
            if (value == found->second.elements.end())
                throw ListingError("not all of " + array + " is stored yet");
            return value->second;
        }
        const bool transpose = signature_.inputs.count(array) == 0 && array.back() == 'T';
        const auto input = signature_.inputs.find(transpose ? array.substr(0, array.size() - 1) : array);
        if (input == signature_.inputs.end()) throw ListingError("there is no array " + array);
        Tuple declared = index;
        const Axes axes(input->second);
        if (declared.size() != input->second.dims.size())
            throw ListingError("a wrong number of indices of " + array);
        if (transpose)
            std::swap(declared.at(static_cast<std::size_t>(axes.rows)),
                      declared.at(static_cast<std::size_t>(axes.cols)));
        const Value value = cut(inputs_.at(input->first), input->second, signature_.dims, declared);
        return transpose ? transposed(value) : value;
    }

    const Signature& signature_;
    const Tensors<double>& inputs_;
    ForallOrder order_;
    Work& work_;
    std::map<int, Value> temporaries_;  // that are set
    std::vector<LoopState> loops_;
    std::map<std::string, Stored> stored_;
    std::map<const Line*, const MiscDecl*> misc_;
    mutable ValueLives lives_;
    bool tasks_nested_ = true;  // all loops around are parallel and hold nothing else
};

}  // namespace

Tensors<double> run_listing(const std::string& text, const Signature& signature,
                            const Tensors<double>& inputs, ForallOrder order, Work* work) {
    std::vector<std::string> dims;
    for (const Dim& dim : signature.dims) dims.push_back(dim.name);
    const std::vector<Line> lines = parse_listing(text, dims);
    Work own;
    Machine machine(signature, inputs, order, work ? *work : own);
    machine.run(lines);
    return machine.outputs();
}

}  // namespace blockscope::reader
