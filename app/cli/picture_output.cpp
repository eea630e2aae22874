#include "app/cli/picture_output.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <iostream>
#include <nlohmann/json.hpp>

#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "core/json/reader.h"

namespace blockscope::cli {

blockscope::Content load_content(const std::string& file) {
    return content_in(read_file(file), file);
}

blockscope::Content content_in(const std::string& text, const std::string& file) {
    Result<blockscope::Content> content = read_any(text, display_name(file));
    if (!content) throw BadInput(content.problems(), text);
    const bool stepped = content->history.states().size() > 1;
    if (stepped) return std::move(content).value();
    blockscope::Content run = run_algorithm(std::move(content).value(), 0);
    run.current = run.history.branch(run.branch).tip;
    return run;
}

// Endings that say what is in a file.
bool says_format(const std::string& end) {
    static const std::vector<std::string> all = {"svg",  "pdf",  "png", "dot",  "tex",  "json",
                                                 "html", "htm",  "jpg", "jpeg", "gif",  "eps",
                                                 "ps",   "webp", "bmp", "tif",  "tiff", "blockscope"};
    return std::find(all.begin(), all.end(), end) != all.end();
}

std::string chosen_format(const std::string& format, const std::string& output,
                          const std::vector<std::string>& known, const std::string& otherwise) {
    if (!format.empty()) return format;
    std::string end = std::filesystem::path(output).extension().string();
    if (!end.empty()) end.erase(0, 1);
    if (std::find(known.begin(), known.end(), end) != known.end()) return end;
    if (says_format(end))
        throw UsageError("'" + output + "' ends with ." + end + ", but this makes " +
                         json::alternatives(known) + " files");
    return otherwise;
}

int deliver(const Made& made, const std::string& output, bool json) {
    const bool to_stdout = output.empty() || output == "-";
    if (to_stdout && made.binary && (json || isatty(STDOUT_FILENO) != 0))
        throw UsageError("a " + made.format + " file is no text; name a file for it with -o");
    if (!to_stdout)
        write_file(output, made.bytes);
    else if (!json)
        std::cout << made.bytes;
    if (!json) return kFine;
    Json envelope_of = envelope(made.command);
    envelope_of["file"] = made.file;
    envelope_of["format"] = made.format;
    if (to_stdout) envelope_of["content"] = made.bytes;
    if (!to_stdout) envelope_of["output"] = output;
    std::cout << to_text(envelope_of) << '\n';
    return kFine;
}

}  // namespace blockscope::cli
