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
    ~Session();  // gives the lock back
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const QString& journal() const { return journal_; }
    QString draft() const { return draft_file(journal_); }

private:
    QString journal_;
    std::unique_ptr<QLockFile> lock_;
};

// The lock of session `name`, held; null if its process is still there, another one looks after it, or the
// name is not one of a session.
std::shared_ptr<QLockFile> lock_of_dead(const QString& folder, const QString& name);

// The line before the document in a journal.
std::string journal_header(const QString& path);
// What it says of the path; none if `line` is no such line.
std::optional<QString> header_path(const std::string& line);

// The program as it is being typed, before it is applied to the document: the user's work like any other.

class Draft : public QObject {
    Q_OBJECT

public:
    // The one of this document; it lives as long.
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

// What is not saved yet, kept where a crash leaves it. The document's own file is never written here.

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

    // The document is what a crash left: that journal stays until this one holds the same.
    void replace(const Recovered& recovered);
    // The user has saved the document or let it go: nothing is to be recovered.
    void finish();

Q_SIGNALS:
    void failed(const QString& what);  // once, until writing works again

private:
    struct Writer;
    void post();

    Document& document_;
    std::unique_ptr<Writer> writer_;
};

// What a process that has died left.
struct Recovered {
    QString journal;                  // file
    QString path;                     // of the document that it was opened from; may be empty
    QString name;                     // of the document; empty if the journal has none
    QDateTime written;                // when the last change was written
    std::shared_ptr<QLockFile> lock;  // as long as it is held, no other process is offered the journal
};

// Journals of processes that are not there any more, the newest first. Quick: reads one line of each. Clears
// away what holds nothing.
std::vector<Recovered> recoverable(const QString& folder = journal_folder());

struct Recovery {
    Content content;
    QString difference;  // from the saved file, as a sentence
};
// Reads the journal and the saved file; may take long.
Result<Recovery> recover(const Recovered& recovered, const StepObserver& observer = {});
void discard(const Recovered& recovered);

// What `now` has that `saved` (null: no file) has not, as a sentence: steps, branches, notes, text.
QString difference(const Content& now, const Content* saved);

}  // namespace blockscope
