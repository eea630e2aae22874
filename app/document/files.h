// Whether the document's file is still as this program last read or wrote it.
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
    // The one of this document; it lives as long.
    static FileStamp& of(Document& document);

    void remember();  // the file has just been written
    // It was read: `file` is as it was before (QFileInfo::stat).
    void remember(const QFileInfo& file);
    bool changed() const;  // another program has written it since; false of a file that is gone

private:
    explicit FileStamp(Document& document);

    Document& document_;
    QString path_;
    QDateTime written_;
    qint64 size_ = 0;
};

// Documents in files.

// Writes `text` as a whole or not at all: the old file stays until the new one is there. None if all is well.
std::optional<Problem> write_file(const QString& path, const std::string& text);
std::optional<Problem> write_file(const QString& path, const QByteArray& bytes);

// Saves `content`. A document that could not be opened again, because it is too large, is refused.
std::optional<Problem> save_document(const QString& path, const Content& content);

// The file's bytes; more than 64 MiB are refused.
Result<std::string> read_file(const QString& path);

}  // namespace blockscope
