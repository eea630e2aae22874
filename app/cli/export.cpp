// blockscope-render's export: a whole derivation as strip, slides, page or document, two states compared, and
// sheets of lessons.
#include <QFileInfo>
#include <QTextDocument>
#include <algorithm>
#include <memory>
#include <optional>

#include "app/cli/command.h"
#include "app/cli/envelope.h"
#include "app/cli/load.h"
#include "app/cli/picture_files.h"
#include "app/document/pictures.h"
#include "app/export/comparison.h"
#include "app/export/render.h"
#include "app/export/runs.h"
#include "app/files/file_formats.h"
#include "app/files/painting.h"

namespace blockscope::cli {

namespace {

std::string format_of(const ExportKind& kind, const ExportArguments& arguments) {
    const std::vector<std::string> formats = formats_of(kind);
    if (!arguments.format.empty() &&
        std::find(formats.begin(), formats.end(), arguments.format) == formats.end())
        throw UsageError("a " + std::string(kind.name) + " is written as " + joined_names(formats) +
                         ", not " + arguments.format);
    std::vector<std::string> endings = formats;
    if (formats.front() == "html") endings.emplace_back("htm");
    if (formats.front() == "json") endings.emplace_back("blockscope");
    const std::string format = chosen_format(arguments.format, arguments.output, endings, formats.front());
    return std::find(formats.begin(), formats.end(), format) == formats.end() ? formats.front() : format;
}

void refuse_options_of_others(const ExportKind& kind, const ExportArguments& arguments) {
    const std::string name = kind.name;
    if (!kind.stages && (arguments.snapshots || arguments.chapters))
        throw UsageError("--snapshots and --chapters choose steps of a run; a " + name + " shows no steps");
    if (!kind.notes && arguments.notes) throw UsageError("--notes is for --as slides");
    if (!kind.pair && !(arguments.before + arguments.after + arguments.device).empty())
        throw UsageError("--before, --after and --device are for --as comparison");
    if (!kind.themed && arguments.dark)
        throw UsageError("--theme is not for --as " + name + ": it looks as its reader's system does");
}

// Both states, and what is known of their times on the device.
ComparisonRequest comparison_of(const blockscope::Content& content, const ExportArguments& arguments) {
    const StateId tip = content.history.branch(content.branch).tip;
    const Trace trace = content.history.trace(tip);
    const std::vector<StateId> way = content.history.path(tip);
    StateArguments before, after;
    before.state = arguments.before.empty() ? "0" : arguments.before;
    after.state = arguments.after.empty() ? "best" : arguments.after;
    const Stakes stakes = stakes_of(after, arguments.device);
    const Ranking ranking = rank_states(trace, {}, stakes);
    ComparisonRequest request;
    const auto state_at = [&](int step) { return way.at(static_cast<std::size_t>(step)); };
    const auto chosen = [&](const StateArguments& words) {
        const int step = choose(trace, words, {}, stakes).state.step;
        if (const RatedState* rated = ranking.at(step))
            request.times[state_at(step)] = QString::fromStdString(worth_text(stakes, rated->value));
        return state_at(step);
    };
    request.before = chosen(before);
    request.after = chosen(after);
    if (!ranking.empty()) request.best = state_at(ranking.best().step);
    request.by = QString::fromStdString(stakes_text(stakes, ranking));
    return request;
}

std::string exported(blockscope::Content content, const ExportArguments& arguments,
                     const std::string& format) {
    gui_application();
    const auto shared = std::make_shared<const blockscope::Content>(std::move(content));
    Pictures pictures(qt_measure());
    const auto source = [&](StateId id, const PictureShape& shape, const std::optional<Folds>& folds) {
        return pictures.now(with_folds(shared, folds), id, shape);
    };
    RunLook look;
    look.theme = arguments.dark ? Theme::dark_theme() : Theme::light();
    look.notes = arguments.notes;
    if (arguments.file != "-") look.opened = QFileInfo(QString::fromStdString(arguments.file)).fileName();
    if (arguments.snapshots) look.stages = Stages::Snapshots;
    if (arguments.chapters) look.stages = Stages::Chapters;
    std::optional<QByteArray> bytes;
    if (arguments.as != "comparison") {
        bytes = write_run(arguments.as, format, *shared, look, source);
    } else {
        const auto pages = compare_on_paper(*shared, comparison_of(*shared, arguments), source);
        if (!pages.empty()) bytes = comparison_bytes(format, pages, look.theme);
    }
    if (!bytes) throw InternalError("a picture was not made");
    return bytes->toStdString();
}

}  // namespace

int export_command(const ExportArguments& arguments) {
    const ExportKind& kind = *find_export_kind(arguments.as);
    refuse_options_of_others(kind, arguments);
    const std::string format = format_of(kind, arguments);
    blockscope::Content content = opened(read_file(arguments.file), arguments.file).content;
    std::string bytes = arguments.as == "document" ? write_document(content)
                                                   : exported(std::move(content), arguments, format);
    return deliver({.command = "export",
                    .file = display_name(arguments.file),
                    .format = format,
                    .bytes = std::move(bytes),
                    .binary = is_binary(format)},
                   arguments.output, arguments.json);
}

// ---- Sheets of lessons.

std::string pdf_of_page(const std::string& html) {
    constexpr QSizeF kPage(794, 1123);  // A4 in pixels
    constexpr double kMargin = 64;
    gui_application();
    QTextDocument document;
    QFont font = document.defaultFont();
    font.setPixelSize(14);
    document.setDefaultFont(font);
    document.setDocumentMargin(kMargin);
    document.setPageSize(kPage);
    document.setHtml(QString::fromStdString(html));
    const QString title = document.metaInformation(QTextDocument::DocumentTitle);
    return write_pdf(title.toStdString(), kPage, document.pageCount(),
                     [&](QPainter& painter, int page) {
                         painter.translate(0, -page * kPage.height());
                         document.drawContents(&painter, {{0, page * kPage.height()}, kPage});
                     })
        .toStdString();
}

}  // namespace blockscope::cli
