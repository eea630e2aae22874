#include "app/cli/load.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <iostream>
#include <memory>
#include <utility>

#include "app/cli/terminal.h"
#include "core/import/import.h"
#include "core/import/model_file.h"
#include "core/json/json_io.h"
#include "core/program/convert.h"
#include "core/support/whole_file.h"

namespace blockscope::cli {
namespace {

constexpr std::size_t kMaxBytes = std::size_t{64} << 20U;
constexpr std::size_t kHeadBytes = 4096;  // where JSON of ours names its kind

struct CloseFile {
    void operator()(std::FILE* file) const {
        if (file != stdin) std::fclose(file);
    }
};
using FilePtr = std::unique_ptr<std::FILE, CloseFile>;

[[noreturn]] void unreadable(const std::string& file, const std::string& why) {
    throw BadInput({Problem{{display_name(file), 0, 0, {}}, "The file cannot be read: " + why + "."}});
}

template <class T>
T value_or_throw(Result<T> result, const std::string& text) {
    if (!result) throw BadInput(result.problems(), text);
    return std::move(result).value();
}

Loaded from_array(std::string name, ArrayProgram array) {
    auto blocks = std::make_shared<const BlockProgram>(to_block_program(array).program);
    return {std::move(name), std::move(array), std::move(blocks)};
}

// Of a model the program that it becomes; what is to be known of it goes beside the output.
std::string program_of_model(const std::string& file) {
    Result<model::TensorGraph> graph = model::read_model_file(file);
    if (!graph) throw BadInput(graph.problems());
    const Result<model::ImportedModel> imported = model::import_model(std::move(graph).value(), {}, file);
    if (!imported) throw BadInput(imported.problems());
    std::cerr << harmless_name(file) << ": "
              << harmless(model::summary_of(imported->customs, imported->symbols).str())
              << " (blockscope-cli import says more, and binds sizes)\n";
    return imported->text;
}

}  // namespace

Content content_of(const std::string& text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    if (start == std::string::npos || text[start] != '{') return Content::Text;
    const std::string head = text.substr(start, kHeadBytes);
    if (head.find("\"blockscope block program\"") != std::string::npos) return Content::BlockProgram;
    if (head.find("\"blockscope trace\"") != std::string::npos) return Content::Trace;
    if (head.find("\"blockscope circuit\"") != std::string::npos) return Content::Circuit;
    return Content::ArrayProgram;
}

std::string display_name(const std::string& file) {
    return file == "-" ? "<stdin>" : file;
}

std::string read_file(const std::string& file) {
    if (model::is_model_file(file)) return program_of_model(file);
    const FilePtr stream(file == "-" ? stdin : std::fopen(file.c_str(), "rb"));
    if (!stream) unreadable(file, std::strerror(errno));
    std::string text;
    std::string chunk(std::size_t{1} << 16U, '\0');
    while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), stream.get())) {
        text.append(chunk, 0, count);
        if (text.size() > kMaxBytes) unreadable(file, "it is larger than 64 MiB");
    }
    if (std::ferror(stream.get()) != 0) unreadable(file, std::strerror(errno));
    return text;
}

void write_file(const std::string& file, const std::string& text) {
    const std::string wrong = write_whole_file(file, text);
    if (!wrong.empty()) throw UsageError("cannot write " + file + ": " + wrong);
}

Loaded load_program(const std::string& file) {
    return program_in(read_file(file), display_name(file));
}

Loaded program_in(const std::string& text, const std::string& name) {
    switch (content_of(text)) {
        case Content::Text:
            return from_array(name, value_or_throw(parse_program(text, name), text));
        case Content::ArrayProgram:
            return from_array(name, value_or_throw(read_array_program(text, name), text));
        case Content::BlockProgram: {
            auto program = value_or_throw(read_block_program(text, name), text);
            return {name, {}, std::make_shared<const BlockProgram>(std::move(program))};
        }
        case Content::Trace:
            throw BadInput({Problem{
                {name, 0, 0, "/format"},
                std::string(
                    "Expected a program, but this is a trace; `blockscope-cli replay` shows traces.")}});
        case Content::Circuit:
            throw BadInput({Problem{
                {name, 0, 0, "/format"},
                std::string(
                    "Expected a program, but this is a circuit; `blockscope-cli analyze` reads circuits.")}});
    }
    throw InternalError("unknown content");
}

}  // namespace blockscope::cli
