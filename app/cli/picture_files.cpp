#include "app/cli/picture_files.h"

#include <unistd.h>

#include <QGuiApplication>
#include <QHashSeed>
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/document/pictures.h"
#include "app/export/runs.h"
#include "app/files/file_formats.h"
#include "core/json/reader.h"

namespace blockscope::cli {

Opened opened(const std::string& text, const std::string& file) {
    Result<blockscope::Content> content = read_any(text, display_name(file));
    if (!content) throw BadInput(content.problems(), text);
    const bool has_steps = content->history.states().size() > 1;
    if (has_steps) return {std::move(content).value(), true};
    blockscope::Content run = run_algorithm(std::move(content).value(), 0);
    run.current = run.history.branch(run.branch).tip;
    return {std::move(run), false};
}

// Endings that say what is in a file.
bool says_format(const std::string& end) {
    static const std::vector<std::string> others = {"htm", "jpg", "jpeg", "gif", "eps", "ps",        "webp",
                                                    "bmp", "tif", "tiff", "txt", "md",  "blockscope"};
    return find_format(end) || std::find(others.begin(), others.end(), end) != others.end();
}

// Whether files of the format end like this.
bool ends_like(const std::string& format, const std::string& end) {
    const FileFormat* row = find_format(format);
    return (row ? ends_with(*row, end) : end == format) || (format == "json" && end == "blockscope");
}

std::string chosen_format(const std::string& format, const std::string& output,
                          const std::vector<std::string>& known, const std::string& otherwise) {
    std::string end = std::filesystem::path(output).extension().string();
    if (!end.empty()) end.erase(0, 1);
    if (!format.empty()) {
        if (!says_format(end) || ends_like(format, end)) return format;
        throw UsageError("'" + output + "' ends with ." + end + ", but --format is " + format);
    }
    if (std::find(known.begin(), known.end(), end) != known.end()) return end;
    if (says_format(end))
        throw UsageError("'" + output + "' ends with ." + end + ", but this makes " +
                         json::alternatives(known).str() + " files");
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
    if (!made.state.empty()) envelope_of["state"] = made.state;
    if (to_stdout) envelope_of["content"] = made.bytes;
    if (!to_stdout) envelope_of["output"] = output;
    std::cout << to_text(envelope_of) << '\n';
    return kFine;
}

namespace {

// What Qt has to say about its surroundings is no business of those who read stderr.
void only_failures(QtMsgType type, const QMessageLogContext&, const QString& text) {
    if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qUtf8Printable(text));
}

}  // namespace

QGuiApplication& gui_application() {
    static int count = 1;
    static char name[] = "blockscope-render";
    static char* words[] = {name, nullptr};
    QHashSeed::setDeterministicGlobalSeed();  // the fonts of PDF files come in the order of a hash table
    qInstallMessageHandler(only_failures);
    qputenv("QT_QPA_PLATFORM", "offscreen");  // never a display, even if there is one
    static QGuiApplication application(count, words);
    return application;
}

}  // namespace blockscope::cli
