// Whether the document's file is still as this program last read or wrote it.
#pragma once

#include <QDateTime>
#include <QFileInfo>
#include <QObject>
#include <QString>

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

}  // namespace blockscope
