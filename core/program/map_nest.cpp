#include "core/program/map_nest.h"

#include <algorithm>

namespace blockscope {

namespace {

// The ports of one map of the nest, and which port each input of the nest enters through.
struct Ports {
    std::vector<ValueRef> values;
    std::vector<MapInput> modes;
    std::vector<std::size_t> port_of_input;
};

Ports share_ports(const std::vector<NestInput>& inputs, std::size_t level) {
    Ports ports;
    for (const NestInput& input : inputs) {
        const MapInput mode{input.iterated.at(level) ? PortIn::Iterated : PortIn::Broadcast};
        std::size_t port = 0;
        while (port < ports.values.size() &&
               !(ports.values[port] == input.value && ports.modes[port] == mode)) {
            ++port;
        }
        if (port == ports.values.size()) {
            ports.values.push_back(input.value);
            ports.modes.push_back(mode);
        }
        ports.port_of_input.push_back(port);
    }
    return ports;
}

ValueRef nest_from(Builder& builder, const std::vector<DimId>& dims, std::size_t level,
                   const std::vector<NestInput>& inputs, const NestBody& body) {
    if (level == dims.size()) {
        std::vector<ValueRef> values;
        values.reserve(inputs.size());
        for (const NestInput& input : inputs) values.push_back(input.value);
        return body(builder, values);
    }
    const Ports ports = share_ports(inputs, level);
    Builder inner(builder.dims(), builder.ids());
    std::vector<ValueRef> inner_values;
    for (std::size_t port = 0; port < ports.values.size(); ++port) {
        const Type type = builder.type(ports.values[port]);
        inner_values.push_back(
            inner.input(ports.modes[port].mode == PortIn::Iterated ? type.element() : type));
    }
    std::vector<NestInput> inner_inputs;
    for (std::size_t i = 0; i < inputs.size(); ++i) {
        inner_inputs.push_back({inner_values[ports.port_of_input[i]], inputs[i].iterated});
    }
    inner.output(nest_from(inner, dims, level + 1, inner_inputs, body));
    Map map;
    map.dim = dims[level];
    map.inputs = ports.modes;
    map.outputs = {MapOutput{}};
    map.body = inner.finish();
    return builder.map(std::move(map), ports.values).front();
}

}  // namespace

ValueRef nest(Builder& builder, const std::vector<DimId>& dims, const std::vector<NestInput>& inputs,
              const NestBody& body) {
    return nest_from(builder, dims, 0, inputs, body);
}

}  // namespace blockscope
