// Documents in files.
#pragma once

#include <QByteArray>
#include <QString>
#include <optional>

#include "app/document/content.h"

namespace blockscope {

// Writes `text` as a whole or not at all: the old file stays until the new one is there. None if all is well.
std::optional<Problem> write_file(const QString& path, const std::string& text);
std::optional<Problem> write_file(const QString& path, const QByteArray& bytes);

// Saves `content`. A document that could not be opened again, because it is too large, is refused.
std::optional<Problem> save_document(const QString& path, const Content& content);

// The file's bytes; more than 64 MiB are refused.
Result<std::string> read_file(const QString& path);

}  // namespace blockscope
