// The files of one process's journal: FOLDER/PID-START-N.blockscope, and .lock as long as the process lives.
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/document/document.h"

namespace blockscope {

// Beside a journal: the text that was being typed.
QString draft_file(const QString& journal);

class Session {
public:
    explicit Session(const QString& folder);
    ~Session();  // releases the lock
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const QString& journal() const { return journal_; }
    QString draft() const { return draft_file(journal_); }

private:
    QString journal_;
    std::unique_ptr<QLockFile> lock_;
};

// Takes the lock of session `name`. Null if its process is still running, if another process restores it, or
// if the name is not that of a session.
std::shared_ptr<QLockFile> lock_of_dead(const QString& folder, const QString& name);

// The line before the document in a journal.
std::string journal_header(const QString& path);
// What it says of the path; none if `line` is no such line.
std::optional<QString> header_path(const std::string& line);

// The program text that the user types, before it is applied to the document. It is work that must not be
// lost.

class Draft : public QObject {
    Q_OBJECT

public:
    // The document's own instance, which lives as long as the document.
    static Draft& of(Document& document);

    const QString& text() const { return text_; }  // empty: nothing is typed that is not applied
    void set(const QString& text);
    // From a journal; the editor takes it over.
    void bring_back(const QString& text);

Q_SIGNALS:
    void changed();
    void brought_back();

private:
    explicit Draft(Document& document);

    QString text_;
};

// Keeps unsaved work in a file that survives a crash. Never writes the document's own file.

struct Recovered;

// In the user's folder for data of this application.
QString journal_folder();

// Writes every change of the document to a file of its own in `folder`, on a thread of its own: the first one
// at once, later ones at most `interval` milliseconds after the write before. While all work is saved there
// is no file: looking around is not worth a question after a crash.
class Journal : public QObject {
    Q_OBJECT

public:
    static constexpr int kInterval = 500;  // so that writing, too, ends within a second of the change
    explicit Journal(Document& document, const QString& folder = journal_folder(), int interval = kInterval,
                     QObject* parent = nullptr);
    ~Journal() override;  // writes what is left; the file stays unless finish() was called

    // The document was restored from a crash's journal, which stays until this journal holds the same.
    void replace(const Recovered& recovered);
    // The user has saved or discarded the document: removes the file.
    void finish();

Q_SIGNALS:
    void failed(const QString& what);  // emitted once, and again only after writing has worked

private:
    struct Writer;
    void post();

    Document& document_;
    std::unique_ptr<Writer> writer_;
};

// The unsaved work of a process that has ended.
struct Recovered {
    QString journal;                  // file
    QString path;                     // of the document that it was opened from; may be empty
    QString name;                     // of the document; empty if the journal has none
    QDateTime written;                // when the last change was written
    std::shared_ptr<QLockFile> lock;  // as long as it is held, no other process is offered the journal
};

// The journals of processes that have ended, the newest first. Quick: reads one line of each. Removes
// journals that hold nothing.
std::vector<Recovered> recoverable(const QString& folder = journal_folder());

struct Recovery {
    Content content;
    QString difference;  // from the saved file, as a sentence
};
// Reads the journal and the saved file; may take long.
Result<Recovery> recover(const Recovered& recovered, const StepObserver& observer = {});
void discard(const Recovered& recovered);

// A sentence on what `now` has and `saved` (null: no file) lacks: steps, branches, notes, text.
QString difference(const Content& now, const Content* saved);

}  // namespace blockscope
