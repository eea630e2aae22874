#include <algorithm>
#include <set>
#include <string>

#include "core/loops/loop_program.h"
#include "core/loops/lowering.h"
#include "core/support/result.h"

namespace blockscope {

namespace lowering {

LoopProgram Lowering::run() {
    Body body;
    std::vector<Sink> sinks;
    std::vector<std::pair<int, int>> inputs;  // position, buffer
    const std::vector<NodePtr> nodes = program_.graph->nodes().vector();
    const GraphIndex index(*program_.graph);
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Buffer buffer;
        buffer.node = nodes[i]->id;
        Type type;
        if (const Input* input = nodes[i]->as<Input>()) {
            buffer.kind = Buffer::Kind::Input;
            buffer.name = input->transposed ? input->name + "T" : input->name;
            buffer.transposed = input->transposed;
            buffer.source = input->source;
            buffer.window = input->window;
            type = nodes[i]->outputs[0];
            inputs.emplace_back(static_cast<int>(i), static_cast<int>(buffers_.size()));
        } else if (const Output* output = nodes[i]->as<Output>()) {
            buffer.kind = Buffer::Kind::Output;
            buffer.name = output->name;
            type = edge_type(*index.find(nodes[i]->inputs[0].node), nodes[i]->inputs[0]);
            sinks.push_back({PortOut::Collected, {{static_cast<int>(buffers_.size()), {}}}, {}, false});
        } else {
            continue;
        }
        buffer.type = type.element(type.rank());
        for (int d = 0; d < type.rank(); ++d) buffer.dims.push_back(type.dim(d));
        buffers_.push_back(std::move(buffer));
    }
    Level top(*program_.graph, body, sinks);
    for (const auto& [position, buffer] : inputs) {
        const Node& node = *nodes[index_of(position)];
        top.slots[index_of(position)][0] = new_slot({.type = node.outputs[0],
                                                     .node = node.id,
                                                     .owner = &body,
                                                     .temp = {},
                                                     .place = Place{buffer, {}}});
    }
    plan(top);
    emit(top);
    LoopProgram result{.dims = program_.dims,
                       .buffers = std::move(buffers_),
                       .body = std::move(body.block),
                       .temps = temps_,
                       .needs = block_needs(program_)};
    number(result);
    return result;
}

}  // namespace lowering

LoopProgram lower(const BlockProgram& program) {
    return lowering::Lowering(program).run();
}

}  // namespace blockscope

namespace blockscope::lowering {

// The plan of one level: where every value is stored, before any statement is made.

void Lowering::plan(Level& level) {
    for (int position = level.index.size() - 1; position >= 0; --position)
        if (!level.index.node(position).is<Input>()) plan_node(level, position);
}

// All consumers of the node are planned already.
void Lowering::plan_node(Level& level, int position) {
    const Node& node = level.index.node(position);
    for (std::size_t port = 0; port < node.outputs.size(); ++port) {
        const Type& type = node.outputs[port];
        std::vector<Place>& places = level.targets[index_of(position)][port];
        places = targets_of(level, position, static_cast<int>(port));
        const std::vector<GraphIndex::Use> uses = level.index.uses_of(position, static_cast<int>(port));
        const bool read_as_array = std::any_of(uses.begin(), uses.end(), [&](const GraphIndex::Use& use) {
            return type.is_list() || level.index.node(use.node).is<Misc>();
        });
        if (places.empty() && (read_as_array || node.is<Misc>()))
            places.push_back(new_intermediate(level.body, type, node.id));
        Slot slot{.type = type, .node = node.id, .owner = &level.body, .temp = {}, .place = {}};
        if (!places.empty()) slot.place = preferred(places);
        level.slots[index_of(position)][port] = new_slot(std::move(slot));
    }
}

// Collected outputs of this graph that the value reaches, and element 0 of lists that it begins.
std::vector<Place> Lowering::targets_of(const Level& level, int position, int port) const {
    std::vector<Place> places;
    for (const GraphIndex::Use& use : level.index.uses_of(position, port)) {
        const Node& consumer = level.index.node(use.node);
        const auto at = index_of(use.port);
        if (consumer.inputs[at].first > 0) continue;
        std::vector<Place> found;
        if (consumer.is<Output>()) {
            const int sink = level.output_port[index_of(use.node)];
            found = level.sinks.at(index_of(sink)).places;
        } else if (const Map* map = consumer.as<Map>(); map && map->inputs[at].mode == PortIn::Continued) {
            const auto output = index_of(map->inputs[at].continues);
            if (map->outputs.at(output).mode == PortOut::Collected)
                found = at_index(level.targets[index_of(use.node)].at(output), {true, {}});
        }
        places.insert(places.end(), found.begin(), found.end());
    }
    return places;
}

// The one that consumers read: a program output if there is one.
const Place& Lowering::preferred(const std::vector<Place>& places) const {
    for (const Place& place : places)
        if (buffers_[index_of(place.buffer)].kind == Buffer::Kind::Output) return place;
    return places.front();
}

}  // namespace blockscope::lowering

namespace blockscope {

namespace {

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool is_temporary(const std::string& name, int temps) {
    if (name.size() < 2 || name.size() > 10 || name[0] != 't' || name[1] == '0') return false;
    if (!std::all_of(name.begin() + 1, name.end(), [](char c) { return c >= '0' && c <= '9'; })) return false;
    return std::stol(name.substr(1)) <= temps;
}

}  // namespace

std::string name(const LoopVar& var, const LoopProgram& program) {
    const std::string plain = lower_case(program.dims.at(var.dim.value).name);
    const auto free = [&](const std::string& candidate) {
        return !is_temporary(candidate, program.temps) &&
               (candidate == plain ||
                std::none_of(program.dims.begin(), program.dims.end(),
                             [&](const Dim& dim) { return lower_case(dim.name) == candidate; }));
    };
    std::string candidate = plain;
    int number = 1;
    for (int depth = free(plain) ? 1 : 0; depth < var.depth; depth += free(candidate) ? 1 : 0)
        candidate = plain + std::to_string(++number);
    return candidate;
}

}  // namespace blockscope

namespace blockscope::lowering {

// Final numbers and names, by order of the text.

namespace {

class Numbering {
public:
    explicit Numbering(LoopProgram& program)
        : program_(program), buffer_(program.buffers.size(), -1), temp_(index_of(program.temps) + 1, 0) {}

    void run() {
        for (std::size_t i = 0; i < program_.buffers.size(); ++i) {
            if (program_.buffers[i].kind == Buffer::Kind::Intermediate) continue;
            buffer_[i] = static_cast<int>(kept_.size());
            kept_.push_back(program_.buffers[i]);
        }
        find_stores(program_.body);
        program_.body = block(program_.body);
        program_.buffers = std::move(kept_);
        program_.temps = temps_;
        name_intermediates();
    }

private:
    void stored(int old) {
        if (buffer_[index_of(old)] >= 0) return;
        buffer_[index_of(old)] = static_cast<int>(kept_.size());
        kept_.push_back(program_.buffers[index_of(old)]);
    }

    void find_stores(const Block& block) {
        for_each_statement(block, [this](const Statement& statement) {
            for (const int buffer : stored_buffers(statement)) stored(buffer);
        });
    }

    Temp temp(Temp old) {
        if (old.id == 0) return old;
        int& number = temp_[index_of(old.id)];
        if (number == 0) number = ++temps_;
        return {number};
    }

    int buffer(int old) const {
        const int found = buffer_[index_of(old)];
        if (found < 0) throw InternalError("lowering: a buffer is read that nothing stores to");
        return found;
    }

    Block block(const Block& old) {
        Block result;
        result.reserve(old.size());
        for (const Statement& statement : old)
            result.push_back({std::visit([&](const auto& what) { return line(what); }, statement.what),
                              statement.node, statement.value});
        return result;
    }

    // In the order in which the line names them.
    using Line = decltype(Statement::what);
    Line line(Load s) {
        s.to = temp(s.to);
        s.buffer = buffer(s.buffer);
        return s;
    }
    Line line(Store s) {
        s.from = temp(s.from);
        s.buffer = buffer(s.buffer);
        return s;
    }
    template <class Operation>
    Line line(Operation s) {  // with operands: Compute, Evaluate, Accumulate
        s.to = temp(s.to);
        for (Temp& one : s.args) one = temp(one);
        return s;
    }
    Line line(Initialise s) {
        s.to = temp(s.to);
        return s;
    }
    Line line(Assign s) {
        s.to = temp(s.to);
        s.from = temp(s.from);
        return s;
    }
    Line line(CallMisc s) {
        for (int& output : s.outputs) output = buffer(output);
        for (int& input : s.inputs) input = buffer(input);
        return s;
    }
    Line line(const LoopPtr& loop) {
        return std::make_shared<const Loop>(Loop{.var = loop->var,
                                                 .start = loop->start,
                                                 .serial = loop->serial,
                                                 .node = loop->node,
                                                 .body = block(loop->body),
                                                 .bounds = loop->bounds});
    }

    void name_intermediates() {
        std::set<std::string> taken;
        for (const Buffer& buffer : program_.buffers)
            if (buffer.kind != Buffer::Kind::Intermediate) taken.insert(buffer.name);
        for (const Dim& dim : program_.dims) taken.insert(dim.name);
        int number = 0;
        for (Buffer& buffer : program_.buffers) {
            if (buffer.kind != Buffer::Kind::Intermediate) continue;
            do buffer.name = "I" + std::to_string(++number);
            while (taken.count(buffer.name) > 0);
        }
    }

    LoopProgram& program_;
    std::vector<Buffer> kept_;
    std::vector<int> buffer_;  // old -> new, -1: not kept
    std::vector<int> temp_;    // old -> new, 0: not seen yet
    int temps_ = 0;
};

}  // namespace

void number(LoopProgram& program) {
    Numbering(program).run();
}

}  // namespace blockscope::lowering
