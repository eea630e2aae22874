// Brings files and samples into the document, and the document into files. Reading runs off the interface
// thread.
#pragma once

#include <QObject>
#include <QString>

#include "app/document/document.h"
#include "app/document/journal.h"
#include "app/window/settings.h"
#include "app/window/work.h"
#include "core/support/result.h"

namespace blockscope {

struct Sample;

// What one file holds, ready to be shown: where it is a program without steps, the algorithm has run. The
// current state is the one that the file says, else the initial one.
Result<Content> load_file(const QString& path, const Stop& stop);
Result<Content> load_text(const std::string& text, const std::string& file, const Stop& stop);

class Opener : public QObject {
    Q_OBJECT

public:
    Opener(Document& document, Settings& settings, Work& work, QObject* parent = nullptr);

    void open_file(const QString& path);
    void open_sample(const Sample& sample);
    void open_new();
    // What a crash left; it counts as not saved, and its old journal goes once it is open.
    void open_recovered(const Recovered& recovered);
    // Atomically: the old file stays whole if the new one cannot be written. False, and refused(), if it
    // cannot.
    bool save(const QString& path);
    // Whether closing the document would lose what the user has made: a document file that has changed, or
    // steps, notes and branches of one without a file. Looking around is no work.
    bool has_unsaved_work() const;
    // Whether the document's path is of a file that save() writes, and not of a program in the text language.
    bool has_document_file() const;

Q_SIGNALS:
    void loaded();
    void said(const QString& text);  // for the status bar
    void refused(const QString& file, const blockscope::Problems& problems);

private:
    void start(const QString& shown, const QString& path, std::function<Result<Content>(const Stop&)> load);

    Document& document_;
    Settings& settings_;
    Work& work_;
    ContentPtr opened_;  // as it was when it was opened or saved
};

extern const char* const kDocumentSuffix;  // ".blockscope"

}  // namespace blockscope
