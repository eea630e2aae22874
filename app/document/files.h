// Tells whether the document's file is still as this program last read or wrote it.
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QFileInfo>
#include <QObject>
#include <QString>
#include <optional>

#include "app/document/content.h"
#include "app/document/document.h"

namespace blockscope {

class FileStamp : public QObject {
    Q_OBJECT

public:
    // The document's own instance, which lives as long as the document.
    static FileStamp& of(Document& document);

    void remember();  // call after writing the file
    // It was read: `file` is as it was before (QFileInfo::stat).
    void remember(const QFileInfo& file);
    bool changed() const;  // whether another program has written the file since; false if it was removed

private:
    explicit FileStamp(Document& document);

    Document& document_;
    QString path_;
    QDateTime written_;
    qint64 size_ = 0;
};

// ---- Reading and writing documents.

// Writes `text` as a whole or not at all: the old file stays until the new one is there. None if all is well.
std::optional<Problem> write_file(const QString& path, const std::string& text);
std::optional<Problem> write_file(const QString& path, const QByteArray& bytes);

// Saves `content`. Refuses a document that is too large to be opened again.
std::optional<Problem> save_document(const QString& path, const Content& content);

// The file's bytes. Refuses files of more than 64 MiB.
Result<std::string> read_file(const QString& path);

}  // namespace blockscope
