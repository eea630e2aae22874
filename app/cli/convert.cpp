// blockscope-cli convert: the same program in another form.
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/commands.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "core/json/json_io.h"

namespace blockscope::cli {
namespace {

std::string converted(const Loaded& loaded, const std::string& to) {
    if (to == "block-json") return write_json(*loaded.blocks);
    if (!loaded.array) {
        throw UsageError(
            loaded.name +
            " holds a block program, which has no array program; only --to block-json is possible");
    }
    return to == "text" ? print_program(*loaded.array) : write_json(*loaded.array);
}

}  // namespace

int convert_command(const ConvertArguments& arguments) {
    const Loaded loaded = load_program(arguments.file);
    std::string text = converted(loaded, arguments.to);
    if (text.empty() || text.back() != '\n') text += '\n';
    const bool to_stdout = arguments.output.empty() || arguments.output == "-";
    if (!to_stdout) write_file(arguments.output, text);
    if (arguments.json) {
        Json json = envelope("convert");
        json["file"] = loaded.name;
        json["to"] = arguments.to;
        if (to_stdout) json["content"] = text;
        if (!to_stdout) json["output"] = arguments.output;
        std::cout << to_text(json) << '\n';
    } else if (to_stdout) {
        std::cout << text;
    }
    return kFine;
}

}  // namespace blockscope::cli
