#include "app/document/read_any.h"

#include <filesystem>

#include "app/document/document_json.h"
#include "core/json/array_names.h"
#include "core/json/block_json.h"
#include "core/json/json_io.h"
#include "core/json/trace_json.h"

namespace blockscope {
namespace {

bool is_json(const std::string& text) {
    const std::size_t start = text.find_first_not_of(" \t\r\n");
    return start != std::string::npos && text[start] == '{';
}

std::string format_of(const json::Value& document) {
    const auto* object = std::get_if<json::Object>(&document.data);
    if (!object) return {};
    for (const json::Member& member : *object) {
        const auto* name = std::get_if<std::string>(&member.value.data);
        if (member.key == "format" && name) return *name;
    }
    return {};
}

Result<Content> of_array(const std::string& text, const std::string& file) {
    const Result<ArrayProgram> program = read_array_program(text, file);
    if (!program) return program.problems();
    return content_of_source(print_program(*program), file);
}

Result<Content> of_blocks(const std::string& text, const std::string& file) {
    const Result<BlockProgram> program = read_block_program(text, file);
    if (!program) return program.problems();
    return content_of_blocks(*program, content_name(file));
}

Result<Content> of_trace(const std::string& text, const std::string& file) {
    const Result<Trace> trace = read_trace(text, file);
    if (!trace) return trace.problems();
    return content_of_trace(*trace, content_name(file));
}

}  // namespace

std::string content_name(const std::string& file) {
    const std::string stem = std::filesystem::path(file).stem().string();
    return stem.empty() ? "untitled" : stem;
}

Result<Content> read_any(const std::string& text, const std::string& file, const StepObserver& observer) {
    if (!is_json(text)) return content_of_source(text, file);
    const Result<json::Value> document = json::parse(text, file);
    if (!document) return document.problems();
    const std::string format = format_of(*document);
    if (format == kDocumentFormat) return read_document(*document, file, observer);
    if (format == json::kArrayFormat) return of_array(text, file);
    if (format == json::kBlockFormat) return of_blocks(text, file);
    if (format == json::kTraceFormat) return of_trace(text, file);
    return Problem{{file, 0, 0, "/format"},
                   "expected \"" + std::string(kDocumentFormat) + "\", \"" + json::kArrayFormat + "\", \"" +
                       json::kBlockFormat + "\" or \"" + json::kTraceFormat + "\""};
}

}  // namespace blockscope
