#include "app/document/files.h"

#include <QCoreApplication>
#include <QFile>
#include <QFileInfo>
#include <QSaveFile>

#include "core/json/value.h"

namespace blockscope {

FileStamp& FileStamp::of(Document& document) {
    if (auto* found = document.findChild<FileStamp*>(QString(), Qt::FindDirectChildrenOnly)) return *found;
    return *new FileStamp(document);
}

FileStamp::FileStamp(Document& document) : QObject(&document), document_(document) {}

void FileStamp::remember() {
    remember(QFileInfo(document_.path()));
}

void FileStamp::remember(const QFileInfo& file) {
    path_ = document_.path();
    written_ = file.lastModified();
    size_ = file.size();
}

bool FileStamp::changed() const {
    const QFileInfo file(path_);
    return !path_.isEmpty() && path_ == document_.path() && file.exists() &&
           (file.lastModified() != written_ || file.size() != size_);
}

namespace {

struct Files {
    Q_DECLARE_TR_FUNCTIONS(Files)
};

Problem problem(const QString& path, const QString& what) {
    return {{path.toStdString(), 0, 0, {}}, what.toStdString()};
}

QString why(const QFileDevice& file) {
    return file.error() == QFileDevice::NoError ? Files::tr("unknown error") : file.errorString();
}

}  // namespace

std::optional<Problem> write_file(const QString& path, const std::string& text) {
    return write_file(path, QByteArray::fromRawData(text.data(), static_cast<qsizetype>(text.size())));
}

std::optional<Problem> write_file(const QString& path, const QByteArray& bytes) {
    if (QFileInfo(path).isDir())
        return problem(path, Files::tr("This is a folder. Give the file a name in it."));
    QSaveFile file(path);
    // Flushed before: commit() would put a file in place whose last 16 KiB did not fit on the disk.
    if (file.open(QIODevice::WriteOnly) && file.write(bytes) == bytes.size() && file.flush() && file.commit())
        return {};
    return problem(path,
                   Files::tr("The file cannot be written: %1. Nothing was changed; choose another place.")
                       .arg(why(file)));
}

std::optional<Problem> save_document(const QString& path, const Content& content) {
    const std::string text = write_document(content);
    if (text.size() <= json::kMaxBytes) return write_file(path, text);
    return problem(path, Files::tr("The document has more than 64 MiB and could not be opened again. Delete "
                                   "branches that you no longer need."));
}

Result<std::string> read_file(const QString& path) {
    if (QFileInfo(path).isDir()) return problem(path, Files::tr("This is a folder. Choose a file in it."));
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return problem(path, Files::tr("The file cannot be read: %1.").arg(why(file)));
    // One byte more than allowed shows that there are too many, also of files that know no size.
    const QByteArray bytes = file.read(static_cast<qint64>(json::kMaxBytes) + 1);
    if (bytes.size() > static_cast<qsizetype>(json::kMaxBytes))
        return problem(path, Files::tr("The file has more than 64 MiB and is no program or document."));
    if (file.error() != QFileDevice::NoError)
        return problem(path, Files::tr("The file cannot be read: %1.").arg(why(file)));
    return bytes.toStdString();
}

}  // namespace blockscope
