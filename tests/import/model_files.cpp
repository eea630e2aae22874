#include "tests/import/model_files.h"

#include <fstream>
#include <iterator>
#include <sstream>
#include <stdexcept>

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
    Result<model::TensorGraph> graph = model::read_onnx(model_bytes(name), name + ".onnx");
    if (!graph) throw std::runtime_error(to_string(graph.problems().front()));
    Result<model::ImportedModel> result =
        model::import_model(std::move(graph).value(), choices, name + ".onnx");
    if (!result) throw std::runtime_error(to_string(result.problems().front()));
    return std::move(result).value();
}

std::map<std::string, std::vector<double>> recorded(const std::string& name) {
    std::ifstream file(model_path(name + ".values"));
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

}  // namespace blockscope::test
