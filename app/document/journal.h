// What is not saved yet, kept where a crash leaves it. The document's own file is never written here.
#pragma once

#include <QDateTime>
#include <QLockFile>
#include <QObject>
#include <QString>
#include <memory>
#include <vector>

#include "app/document/document.h"

namespace blockscope {

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
