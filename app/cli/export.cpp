// blockscope-cli export, and blockscope-render: blockscope-cli with the commands that make pictures, which it
// runs for them.
#include <unistd.h>
#include <QGuiApplication>

#include <QHashSeed>

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iostream>

#include "app/cli/command_line.h"
#include "app/cli/draw.h"
#include "app/cli/envelope.h"
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/document/pictures.h"
#include "app/export/page.h"
#include "app/export/strip.h"
#include "app/files/file_formats.h"
#include "core/json/reader.h"
#include "core/support/result.h"

namespace blockscope::cli {

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
    static const std::vector<std::string> others = {"htm",  "jpg", "jpeg", "gif",  "eps",       "ps",
                                                    "webp", "bmp", "tif",  "tiff", "blockscope"};
    return find_format(end) || std::find(others.begin(), others.end(), end) != others.end();
}

std::string chosen_format(const std::string& format, const std::string& output,
                          const std::vector<std::string>& known, const std::string& otherwise) {
    if (!format.empty()) return format;
    std::string end = std::filesystem::path(output).extension().string();
    if (!end.empty()) end.erase(0, 1);
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
    if (to_stdout) envelope_of["content"] = made.bytes;
    if (!to_stdout) envelope_of["output"] = output;
    std::cout << to_text(envelope_of) << '\n';
    return kFine;
}

namespace {

std::string format_of(const ExportArguments& arguments) {
    if (arguments.as == "html") {
        chosen_format("", arguments.output, {"html", "htm"}, "html");
        return "html";
    }
    if (arguments.as == "document") {
        chosen_format("", arguments.output, {"blockscope", "json"}, "json");
        return "json";
    }
    return chosen_format(arguments.format, arguments.output, {"svg", "pdf"}, "pdf");
}

std::string exported(blockscope::Content content, const ExportArguments& arguments,
                     const std::string& format) {
    gui_application();
    const auto shared = std::make_shared<const blockscope::Content>(std::move(content));
    Pictures pictures(qt_measure());
    const auto derivation = derive(*shared, arguments.snapshots ? Stages::Snapshots : Stages::All,
                                   [&](StateId id) { return pictures.now(shared, id); });
    if (!derivation) throw InternalError("a picture was not made");
    const Theme theme = arguments.dark ? Theme::dark_theme() : Theme::light();
    if (format == "html") return derivation_page(*derivation);
    if (format == "svg") return strip_svg(*derivation, theme);
    return strip_pdf(*derivation, theme).toStdString();
}

}  // namespace

int export_command(const ExportArguments& arguments) {
    if (arguments.as != "strip" && !arguments.format.empty())
        throw UsageError("--format is for --as strip; " + arguments.as + " has one format");
    if (arguments.as == "document" && arguments.snapshots)
        throw UsageError("a document holds every step; --snapshots is for strip and html");
    blockscope::Content content = content_in(read_file(arguments.file), arguments.file);
    const std::string format = format_of(arguments);
    std::string bytes = arguments.as == "document" ? write_document(content)
                                                   : exported(std::move(content), arguments, format);
    return deliver({"export", display_name(arguments.file), format, std::move(bytes), is_binary(format)},
                   arguments.output, arguments.json);
}

// ---- blockscope-render: blockscope-cli with the commands that make pictures. blockscope-cli runs it for
// them.

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

int main(int argc, char** argv) {
    const blockscope::cli::PictureCommands pictures{blockscope::cli::render_command,
                                                    blockscope::cli::export_command};
    return blockscope::cli::run(argc, argv, &pictures);
}
