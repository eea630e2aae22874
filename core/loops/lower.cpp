#include "core/loops/lowering.h"

namespace blockscope {

namespace lowering {

LoopProgram Lowering::run() {
    Body body;
    std::vector<Sink> sinks;
    std::vector<std::pair<int, int>> inputs;  // position, buffer
    const std::vector<NodePtr>& nodes = program_.graph->nodes();
    for (std::size_t i = 0; i < nodes.size(); ++i) {
        Buffer buffer;
        buffer.node = nodes[i]->id;
        Type type;
        if (const Input* input = nodes[i]->as<Input>()) {
            buffer.kind = Buffer::Kind::Input;
            buffer.name = input->transposed ? input->name + "T" : input->name;
            buffer.transposed = input->transposed;
            buffer.source = input->source;
            type = nodes[i]->outputs[0];
            inputs.emplace_back(static_cast<int>(i), static_cast<int>(buffers_.size()));
        } else if (const Output* output = nodes[i]->as<Output>()) {
            buffer.kind = Buffer::Kind::Output;
            buffer.name = output->name;
            type = edge_type(*program_.graph->find(nodes[i]->inputs[0].node), nodes[i]->inputs[0]);
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
        top.slots[index_of(position)][0] = new_slot({node.outputs[0], node.id, &body, {}, Place{buffer, {}}});
    }
    plan(top);
    emit(top);
    LoopProgram result{program_.dims, std::move(buffers_), std::move(body.block), temps_};
    number(result);
    return result;
}

}  // namespace lowering

LoopProgram lower(const BlockProgram& program) {
    return lowering::Lowering(program).run();
}

}  // namespace blockscope
