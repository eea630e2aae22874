#include "app/document/file_stamp.h"

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

}  // namespace blockscope
