// blockscope-cli export: a whole derivation in one file.
#include "app/cli/failures.h"
#include "app/cli/load.h"
#include "app/cli/picture_commands.h"
#include "app/cli/picture_output.h"
#include "app/document/pictures.h"
#include "app/export/page.h"
#include "app/export/strip.h"
#include "core/support/result.h"

namespace blockscope::cli {
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

std::string drawn(blockscope::Content content, const ExportArguments& arguments, const std::string& format) {
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
    blockscope::Content content = load_content(arguments.file);
    const std::string format = format_of(arguments);
    std::string bytes =
        arguments.as == "document" ? write_document(content) : drawn(std::move(content), arguments, format);
    return deliver({"export", display_name(arguments.file), format, std::move(bytes), format == "pdf"},
                   arguments.output, arguments.json);
}

}  // namespace blockscope::cli
