#include "app/window/opener.h"

#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <algorithm>

#include "app/circuit/circuit_view.h"
#include "app/costs/best.h"
#include "app/document/document.h"
#include "app/document/files.h"
#include "app/document/journal.h"
#include "app/shell/samples.h"
#include "app/words/words.h"
#include "core/import/import.h"
#include "core/import/model_file.h"

namespace blockscope {
namespace {

// Documents of fewer states and shorter texts are written within some 20 ms.
constexpr std::size_t kManyStates = 1000, kLongText = 200'000;

const char* const kNewProgram =
    "# A new program. Sizes are elements / elements of a block; docs/language.md has the whole language.\n\n"
    "dim M = 1024 / 128\ndim K = 1024 / 128\ndim N = 1024 / 128\n"
    "input X[M, K], W[K, N]\noutput Y = relu(X @ W)\n";

// Steps that a document or a trace holds; a quotation mark within a text is never alone.
std::size_t steps_in(const std::string& text) {
    const std::string key = "\"rule\":";
    std::size_t steps = 0;
    for (std::size_t at = text.find(key); at != std::string::npos; at = text.find(key, at + 1)) ++steps;
    return steps;
}

// Whether a file, whatever it is called, holds a document: it says so at its beginning.
bool is_document(const QString& path) {
    constexpr qint64 kBeginning = 200;
    QFile file(path);
    return !path.isEmpty() && file.open(QIODevice::ReadOnly) &&
           file.read(kBeginning).contains("\"blockscope document\"");
}

// The text in a file; of a model the program that it becomes, with what it does not become on top.
Result<std::string> text_in(const QString& path, ModelReport* report) {
    const std::string file = path.toStdString();
    if (!model::is_model_file(file)) return read_file(path);
    Result<model::TensorGraph> graph = model::read_model_file(file);
    if (!graph) return graph.problems();
    const Result<model::ImportedModel> imported = model::import_model(std::move(graph).value(), {}, file);
    if (!imported) return imported.problems();
    if (report) *report = report_of(*imported);
    return imported->text;
}

bool same_notes(const History& a, const History& b) {
    for (const auto& [id, state] : a.states())
        if (!b.has(id) || b.state(id).note != state->note) return false;
    return a.states().size() == b.states().size();
}

}  // namespace

const char* const kDocumentSuffix = ".blockscope";

RuleSet rules_of(const Settings& settings) {
    const std::string chosen = settings.rules().toStdString();
    for (const RuleSet rules : {kPaperRules, RuleSet{.rounding = true}})
        if (to_string(rules) == chosen) return rules;
    return {};
}

Result<Content> load_text(const std::string& text, const std::string& file, const Stop& stop, RuleSet rules) {
    const std::size_t steps = steps_in(text);
    const StepObserver go_on = [&stop, steps, read = std::size_t{0}](const Step&) mutable {
        stop.done(++read, steps);
        return !stop;
    };
    Result<Content> read = read_any(text, file, go_on);
    if (!read || stop) return read;
    Content content = std::move(read).value();
    const bool without_steps = content.history.states().size() == 1;
    if (without_steps && content.history.rules() == RuleSet{}) content.history.set_rules(rules);
    content = first_run(std::move(content), stop);
    return without_steps ? with_parts_folded(std::move(content)) : std::move(content);
}

Result<Content> load_file(const QString& path, const Stop& stop, RuleSet rules, ModelReport* report) {
    const Result<std::string> text = text_in(path, report);
    if (!text) return text.problems();
    return load_text(*text, path.toStdString(), stop, rules);
}

Opener::Opener(Document& document, Settings& settings, Work& work, QObject* parent)
    : QObject(parent), document_(document), settings_(settings), work_(work) {}

void Opener::start(const QString& shown, const QString& path,
                   std::function<Result<Content>(const Stop&)> load, std::function<void()> then) {
    work_.start(tr("Opening %1").arg(shown),
                [=, this, load = std::move(load), then = std::move(then)](const Stop& stop) -> Work::Finish {
                    QFileInfo file(path);
                    if (!path.isEmpty()) file.stat();
                    auto result = std::make_shared<Result<Content>>(load(stop));
                    return [=, this] {
                        if (!*result) {
                            Q_EMIT refused(path.isEmpty() ? shown : path, result->problems());
                            return;
                        }
                        Content content = std::move(*result).value();
                        if (path.isEmpty()) content.name = shown.toStdString();
                        opened_ = nullptr;  // it is not this document's, and whoever hears of it may ask
                        document_.reset(std::move(content), path);
                        opened_ = document_.snapshot();
                        written_ = is_document(path) ? path : QString();
                        FileStamp::of(document_).remember(file);
                        if (!path.isEmpty()) settings_.add_recent(path);
                        Q_EMIT loaded();
                        tell_cut();
                        if (then) then();
                    };
                });
}

// Nobody takes the steps of the first seconds for all that there are.
void Opener::tell_cut() {
    const Content& content = document_.content();
    const Branch& branch = content.history.branch(content.branch);
    const int steps = content.history.depth(branch.tip);
    if (content.history.branches().size() > 1 || steps == 0 || !branch.stopped.empty()) return;
    Q_EMIT said(tr("The run goes on after these %1 steps: End, and End once more.").arg(steps));
}

void Opener::open_file(const QString& path, const std::optional<StateChoice>& state) {
    const QString whole = QFileInfo(path).absoluteFilePath();
    if (is_circuit_file(whole)) return Q_EMIT circuit_chosen(whole);
    const auto report = std::make_shared<ModelReport>();
    start(
        QFileInfo(path).fileName(), whole,
        [whole, report, rules = rules_of(settings_)](const Stop& stop) {
            return load_file(whole, stop, rules, report.get());
        },
        [this, report, state] {
            show_state(state);
            if (report->of_model) Q_EMIT model_opened(*report);
        });
}

void Opener::open_link(const QString& name, const std::optional<StateChoice>& state) {
    if (!QFileInfo::exists(name))
        for (const Sample& sample : samples())
            if (sample.name == name) return open_sample(sample, state);
    open_file(name, state);
}

void Opener::show_state(const std::optional<StateChoice>& state) {
    disconnect(best_found_);
    if (!state || document_.empty()) return;
    if (*state == StateChoice::best()) return show_best();
    const Content& content = document_.content();
    const Result<StateId> chosen = choose_state(content.history, content.branch, *state);
    if (chosen) return document_.go(*chosen);
    Q_EMIT said(translated(chosen.problems().front()));
}

void Opener::show_best() {
    const Best& best = Best::of(document_);
    disconnect(best_found_);
    if (best.state()) return best.go();
    best_found_ = connect(&best, &Best::changed, this, [this, &best, content = document_.snapshot()] {
        if (document_.snapshot() != content) {
            disconnect(best_found_);  // elsewhere by now
        } else if (best.state()) {
            disconnect(best_found_);
            best.go();
        }
    });
}

void Opener::open_sample(const Sample& sample, const std::optional<StateChoice>& state) {
    start(
        sample.name, {},
        [text = sample.text.toStdString(), name = sample.name.toStdString(), rules = rules_of(settings_)](
            const Stop& stop) { return load_text(text, name + ".bp", stop, rules); },
        [this, state] { show_state(state); });
}

void Opener::open_program(const QString& name, const QString& text, std::function<void()> then) {
    start(
        name, {},
        [text = text.toStdString(), file = name.toStdString() + ".bp"](const Stop& stop) {
            return load_text(text, file, stop);
        },
        std::move(then));
}

void Opener::open_new(std::function<void()> then) {
    start(
        tr("untitled"), {},
        [rules = rules_of(settings_)](const Stop& stop) {
            return load_text(kNewProgram, "untitled.bp", stop, rules);
        },
        std::move(then));
}

void Opener::open_recovered(const Recovered& recovered) {
    work_.start(tr("Bringing back what was not saved"), [=, this](const Stop& stop) -> Work::Finish {
        QFileInfo file(recovered.path);
        file.stat();
        auto result =
            std::make_shared<Result<Recovery>>(recover(recovered, [&stop](const Step&) { return !stop; }));
        return [=, this] {
            if (!*result) {
                Q_EMIT refused(tr("The work that was not saved"), result->problems());
                return;
            }
            const QString difference = (*result)->difference;
            const Result<std::string> typed = read_file(draft_file(recovered.journal));
            opened_ = nullptr;
            document_.reset(std::move(*result).value().content, recovered.path);
            document_.mark_unsaved();
            FileStamp::of(document_).remember(file);
            if (typed) Draft::of(document_).bring_back(QString::fromStdString(*typed));
            Q_EMIT brought_back(recovered);
            Q_EMIT loaded();
            Q_EMIT said(difference);
        };
    });
}

bool Opener::save(const QString& path) {
    if (document_.empty()) return false;
    if (const auto problem = save_document(path, document_.to_save())) {
        Q_EMIT not_saved(path, {*problem});
        return false;
    }
    take_saved(path, document_.snapshot());
    return true;
}

void Opener::save_and(const QString& path, std::function<void()> next) {
    if (document_.empty()) return;
    const ContentPtr content = document_.snapshot();
    if (content->history.states().size() < kManyStates && content->source.size() < kLongText) {
        if (save(path)) next();
        return;
    }
    saving_.start(
        tr("Saving %1").arg(QFileInfo(path).fileName()),
        [=, this, whole = document_.to_save(), next = std::move(next)](const Stop& stop) -> Work::Finish {
            const auto problem = stop ? std::nullopt : save_document(path, whole);
            return [=, this] {
                if (problem) return Q_EMIT not_saved(path, {*problem});
                take_saved(path, content);
                next();
            };
        });
}

void Opener::take_saved(const QString& path, const ContentPtr& content) {
    written_ = path;
    document_.set_path(path);
    document_.mark_saved(content);
    FileStamp::of(document_).remember();
    opened_ = content;
    settings_.add_recent(path);
    Q_EMIT saved();
}

bool Opener::has_document_file() const {
    const QString& path = document_.path();
    return !path.isEmpty() && (path.endsWith(QLatin1String(kDocumentSuffix)) || path == written_);
}

bool Opener::has_unsaved_work() const {
    if (document_.empty()) return false;
    if (!Draft::of(document_).text().isEmpty()) return true;
    if (!opened_) return document_.modified();  // brought back after a crash
    if (document_.snapshot() == opened_) return false;
    if (has_document_file()) return document_.modified();
    const Content& now = document_.content();
    return now.source != opened_->source || !same_notes(now.history, opened_->history) ||
           !(now.history.branches() == opened_->history.branches());
}

}  // namespace blockscope
