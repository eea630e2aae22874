// Brings files and samples into the document, and the document into files. Reading runs off the interface
// thread.
#pragma once

#include <QObject>
#include <QString>
#include <optional>

#include "app/document/document.h"
#include "app/document/journal.h"
#include "app/document/work.h"
#include "app/shell/settings.h"
#include "app/window/model_bar.h"
#include "core/state/choose.h"
#include "core/support/result.h"

namespace blockscope {

struct Sample;

// What one file holds, ready to be shown: where it is a program without steps, the algorithm has run. The
// current state is the one that the file says, else the initial one.
// `rules`: of the algorithm, where the file does not say which.
// `report`: what became of a model, if the file is one.
Result<Content> load_file(const QString& path, const Stop& stop, RuleSet rules = {},
                          ModelReport* report = nullptr);
Result<Content> load_text(const std::string& text, const std::string& file, const Stop& stop,
                          RuleSet rules = {});
// The rules that the user has chosen for programs that are opened.
RuleSet rules_of(const Settings& settings);

class Opener : public QObject {
    Q_OBJECT

public:
    Opener(Document& document, Settings& settings, Work& work, QObject* parent = nullptr);

    // `state`: shown once it is open, instead of the one that the file says.
    void open_file(const QString& path, const std::optional<StateChoice>& state = {});
    void open_sample(const Sample& sample, const std::optional<StateChoice>& state = {});
    // A file, or a sample by its name ("attention"), as link_to() has it.
    void open_link(const QString& name, const std::optional<StateChoice>& state);
    // A program of a lesson, which expects the run by the usual rules; `then`: once it is shown.
    void open_program(const QString& name, const QString& text, std::function<void()> then);
    // Goes to it, if there is one and the document has it; otherwise says what it lacks. The best state is
    // the window's own, by its objective: once that is known, if the user has gone nowhere else by then.
    void show_state(const std::optional<StateChoice>& state);
    void open_new(std::function<void()> then = {});  // `then`: once it is shown
    // What a crash left; it counts as not saved. brought_back() says when nothing but its old journal is
    // left to do.
    void open_recovered(const Recovered& recovered);
    // Atomically: the old file stays whole if the new one cannot be written. False, and not_saved(), if
    // it cannot.
    bool save(const QString& path);
    // The same, off the interface thread where it takes long; `next` comes once it is written, and never if
    // it is refused or cancelled. The document may be worked on meanwhile; the file has what it was at first.
    void save_and(const QString& path, std::function<void()> next);
    Work& saving() { return saving_; }
    // Whether closing the document would lose what the user has made: a document file that has changed, or
    // steps, notes and branches of one without a file. Looking around is no work.
    bool has_unsaved_work() const;
    // Whether the document's path is of a file that save() writes, and not of a program in the text language.
    bool has_document_file() const;

Q_SIGNALS:
    void loaded();
    void said(const QString& text);                            // for the status bar
    void model_opened(const blockscope::ModelReport& report);  // after loaded(): it was made of a model
    // The file that is to be opened holds a circuit, which is no document of this window.
    void circuit_chosen(const QString& path);
    void refused(const QString& file, const blockscope::Problems& problems);    // not opened
    void not_saved(const QString& file, const blockscope::Problems& problems);  // as it was
    void saved();
    // The document has it; its journal is still where the crash left it.
    void brought_back(const blockscope::Recovered& recovered);

private:
    void start(const QString& shown, const QString& path, std::function<Result<Content>(const Stop&)> load,
               std::function<void()> then = {});

    void tell_cut();
    void show_best();
    void take_saved(const QString& path, const ContentPtr& content);

    Document& document_;
    Settings& settings_;
    Work& work_;
    Work saving_;        // its own: opening something else does not end it
    ContentPtr opened_;  // as it was when it was opened or saved
    QString written_;    // the path of a document, however it is called
    QMetaObject::Connection best_found_;
};

extern const char* const kDocumentSuffix;  // ".blockscope"

}  // namespace blockscope
