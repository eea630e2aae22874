#include "tests/import/model_files.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "core/exec/evaluate.h"
#include "core/fusion/trace.h"
#include "core/import/model_file.h"
#include "core/program/convert.h"

namespace blockscope::test {
namespace {

std::string model_path(const std::string& name) {
    return std::string(BLOCKSCOPE_SOURCE_DIR) + "/tests/import/models/" + name;
}

}  // namespace

std::string model_bytes(const std::string& name) {
    std::ifstream file(model_path(name + ".onnx"), std::ios::binary);
    if (!file) throw std::runtime_error("no model " + name);
    return {std::istreambuf_iterator<char>(file), {}};
}

model::ImportedModel imported(const std::string& name,
                              const std::map<std::string, model::ExtentChoice>& choices) {
    const std::string file = name.find('.') == std::string::npos ? name + ".onnx" : name;
    Result<model::TensorGraph> graph = model::read_model_file(model_path(file));
    if (!graph) throw std::runtime_error(to_string(graph.problems().front()));
    Result<model::ImportedModel> result = model::import_model(std::move(graph).value(), choices, file);
    if (!result) throw std::runtime_error(to_string(result.problems().front()));
    return std::move(result).value();
}

std::map<std::string, std::vector<double>> recorded(const std::string& name) {
    std::ifstream file(model_path(name.substr(0, name.find('.')) + ".values"));
    if (!file) throw std::runtime_error("no values of " + name);
    std::map<std::string, std::vector<double>> result;
    for (std::string heading, numbers; std::getline(file, heading) && std::getline(file, numbers);) {
        std::istringstream words(heading);
        std::string kind;
        std::string tensor;
        words >> kind >> tensor;
        std::istringstream values(numbers);
        result[tensor].assign(std::istream_iterator<double>(values), {});
    }
    return result;
}

Counts counts_of(const model::ImportedModel& model) {
    const model::ImportCounts& counts = model.counts;
    return {counts.products, counts.softmaxes, counts.norms, counts.activations, counts.customs};
}

std::string program_of(const model::ImportedModel& model) {
    return model.text.substr(model.text.find("\n\n") + 2);
}

bool fuses(const std::string& name) {
    const auto blocks =
        std::make_shared<const BlockProgram>(to_block_program(imported(name).program).program);
    return buffered_edges(*fuse(blocks).last()) < buffered_edges(*blocks);
}

double largest_error(const std::string& name) {
    const model::ImportedModel model = imported(name);
    const auto values = recorded(name);
    Tensors<double> inputs;
    for (const model::ImportedInput& input : model.inputs) {
        std::vector<double> numbers;
        if (!input.table.empty()) {
            const model::TensorValues& table = input.table_values.value();
            const auto width = static_cast<std::size_t>(input.sizes.back());
            for (const double row : values.at(input.rows))
                for (std::size_t i = 0; i < width; ++i)
                    numbers.push_back(table.real(static_cast<std::size_t>(row) * width + i));
        } else if (const auto given = values.find(input.tensor); given != values.end()) {
            numbers = given->second;
        } else {
            const model::TensorValues& held = input.values.value();
            for (std::size_t i = 0; i < held.count(); ++i) numbers.push_back(held.real(i));
        }
        inputs[input.name] = {input.sizes, model::arranged(input, numbers)};
    }
    const Tensors<double> results = evaluate(model.program, inputs);
    double worst = 0;
    for (const model::ImportedOutput& output : model.outputs) {
        const std::vector<double>& expected = values.at(output.tensor);
        model::ImportedInput as_input;
        as_input.sizes = output.sizes;
        as_input.steps = output.steps;
        const std::vector<double> in_order = model::arranged(as_input, expected);
        const std::vector<double>& found = results.at(output.name).data;
        EXPECT_EQ(found.size(), expected.size()) << output.name;
        double largest = 0;
        double difference = 0;
        for (std::size_t i = 0; i < found.size() && i < in_order.size(); ++i) {
            largest = std::max(largest, std::abs(in_order[i]));
            difference = std::max(difference, std::abs(found[i] - in_order[i]));
        }
        EXPECT_GT(largest, 0) << output.name;
        worst = std::max(worst, difference / largest);
    }
    return worst;
}

}  // namespace blockscope::test
