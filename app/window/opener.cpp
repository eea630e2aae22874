#include "app/window/opener.h"

#include <QElapsedTimer>
#include <QFileInfo>

#include "app/document/files.h"
#include "app/window/samples.h"

namespace blockscope {
namespace {

constexpr qint64 kRunMilliseconds = 2000;

const char* const kNewProgram =
    "# A new program. Sizes are elements / elements of a block; docs/language.md has the whole language.\n\n"
    "dim M = 1024 / 128\ndim K = 1024 / 128\ndim N = 1024 / 128\n"
    "input X[M, K], W[K, N]\noutput Y = relu(X @ W)\n";

bool same_notes(const History& a, const History& b) {
    for (const auto& [id, state] : a.states())
        if (!b.has(id) || b.state(id).note != state->note) return false;
    return a.states().size() == b.states().size();
}

}  // namespace

const char* const kDocumentSuffix = ".blockscope";

Result<Content> load_text(const std::string& text, const std::string& file, const Stop& stop) {
    const StepObserver go_on = [&stop](const Step&) { return !stop; };
    Result<Content> content = read_any(text, file, go_on);
    if (!content || stop) return content;
    // A program whose run takes longer opens with the steps so far; the next ones come as they are asked for.
    QElapsedTimer clock;
    clock.start();
    return prepared(std::move(content).value(),
                    [&](const Step&) { return !stop && clock.elapsed() < kRunMilliseconds; });
}

Result<Content> load_file(const QString& path, const Stop& stop) {
    const Result<std::string> text = read_file(path);
    if (!text) return text.problems();
    return load_text(*text, path.toStdString(), stop);
}

Opener::Opener(Document& document, Settings& settings, Work& work, QObject* parent)
    : QObject(parent), document_(document), settings_(settings), work_(work) {}

void Opener::start(const QString& shown, const QString& path,
                   std::function<Result<Content>(const Stop&)> load) {
    work_.start(tr("Opening %1").arg(shown),
                [=, this, load = std::move(load)](const Stop& stop) -> Work::Finish {
                    auto result = std::make_shared<Result<Content>>(load(stop));
                    return [=, this] {
                        if (!*result) {
                            Q_EMIT refused(path.isEmpty() ? shown : path, result->problems());
                            return;
                        }
                        Content content = std::move(*result).value();
                        if (path.isEmpty()) content.name = shown.toStdString();
                        document_.reset(std::move(content), path);
                        opened_ = document_.snapshot();
                        if (!path.isEmpty()) settings_.add_recent(path);
                        Q_EMIT loaded();
                    };
                });
}

void Opener::open_file(const QString& path) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    start(QFileInfo(path).fileName(), whole, [whole](const Stop& stop) { return load_file(whole, stop); });
}

void Opener::open_sample(const Sample& sample) {
    start(sample.name, {},
          [text = sample.text.toStdString(), name = sample.name.toStdString()](const Stop& stop) {
              return load_text(text, name + ".bp", stop);
          });
}

void Opener::open_new() {
    start(tr("untitled"), {}, [](const Stop& stop) { return load_text(kNewProgram, "untitled.bp", stop); });
}

void Opener::open_recovered(const Recovered& recovered) {
    work_.start(tr("Bringing back what was not saved"), [=, this](const Stop& stop) -> Work::Finish {
        auto result =
            std::make_shared<Result<Recovery>>(recover(recovered, [&stop](const Step&) { return !stop; }));
        return [=, this] {
            if (!*result) {
                Q_EMIT refused(recovered.path, result->problems());
                return;
            }
            const QString difference = (*result)->difference;
            document_.reset(std::move(*result).value().content, recovered.path);
            document_.mark_unsaved();
            opened_ = nullptr;
            discard(recovered);
            Q_EMIT loaded();
            Q_EMIT said(difference);
        };
    });
}

bool Opener::save(const QString& path) {
    if (document_.empty()) return false;
    if (const auto problem = save_document(path, document_.content())) {
        Q_EMIT refused(path, {*problem});
        return false;
    }
    document_.set_path(path);
    document_.mark_saved();
    opened_ = document_.snapshot();
    settings_.add_recent(path);
    return true;
}

bool Opener::has_document_file() const {
    return document_.path().endsWith(QLatin1String(kDocumentSuffix));
}

bool Opener::has_unsaved_work() const {
    if (document_.empty()) return false;
    if (!opened_) return document_.modified();  // brought back after a crash
    if (document_.snapshot() == opened_) return false;
    if (has_document_file()) return document_.modified();
    const Content& now = document_.content();
    return now.source != opened_->source || !same_notes(now.history, opened_->history) ||
           !(now.history.branches() == opened_->history.branches());
}

}  // namespace blockscope
