// The programs that the figures of "FlashAttention on a Napkin" draw, and how formulas are compared.
#pragma once

#include <gmock/gmock.h>

#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

#include "core/diagram/flow.h"
#include "core/json/device_files.h"

namespace blockscope::test {

inline circuit::Flow flow_from(const std::string& text) {
    const Result<ArrayProgram> program = parse_program(text, "figure.bp");
    if (!program) throw std::runtime_error(blockscope::to_string(program.problems().front()));
    return circuit::separated(circuit::flow_of(*program));
}

inline circuit::AxisId axis(const circuit::Flow& flow, const std::string& name) {
    for (std::size_t i = 0; i < flow.axes.size(); ++i)
        if (flow.axes[i].name == name) return {static_cast<int>(i)};
    throw std::runtime_error("no axis " + name);
}

inline Device device(const std::string& name) {
    const std::string path = std::string(BLOCKSCOPE_SOURCE_DIR) + "/resources/devices/" + name + ".json";
    std::ifstream file(path);
    std::stringstream text;
    text << file.rdbuf();
    const Result<Device> read = read_device(text.str(), path);
    if (!read) throw std::runtime_error(blockscope::to_string(read.problems().front()));
    return *read;
}

inline const char* const kMatmul =
    "dim a = 4096 / 128\ndim b = 2048 / 128\ndim c = 1024 / 128\n"
    "input A[a, b], B[b, c] : f16\noutput C = A @ B\n";
inline const char* const kAttention =
    "dim q = 4096 / 128\ndim x = 8192 / 128\ndim d = 128 / 128\n"
    "input Q[q, d], K[x, d], V[x, d] : f16\nS = Q @ K.T * d^-0.5\nP = softmax(S)\noutput O = P @ V\n";
inline const char* const kHeads =
    "batch h = 16\ndim q = 4096 / 128\ndim x = 8192 / 128\ndim d = 128 / 128\n"
    "input Q[h, q, d], K[h, x, d], V[h, x, d] : f16\nS = Q @ K.T * d^-0.5\nP = softmax(S)\noutput O = P @ "
    "V\n";
inline const char* const kGrouped =
    "group g = 4\ndim q = 4096 / 128\ndim x = 8192 / 128\ndim d = 128 / 128\n"
    "input Q[g, q, d], K[x, d], V[x, d] : f16\nS = Q @ K.T * d^-0.5\nP = softmax(S)\noutput O = P @ V\n";

// Formulas are sums: equal up to the order of their products.
inline std::vector<std::string> summands(const std::string& text) {
    std::vector<std::string> parts;
    std::size_t from = 0;
    for (std::size_t at = text.find(" + "); at != std::string::npos; at = text.find(" + ", from)) {
        parts.push_back(text.substr(from, at - from));
        from = at + 3;
    }
    parts.push_back(text.substr(from));
    return parts;
}

#define EXPECT_FORMULA(formula, expected) \
    EXPECT_THAT(summands((formula).text()), testing::UnorderedElementsAreArray(summands(expected)))

}  // namespace blockscope::test
