// Tables as comma-separated values.
#include <QTextDocument>

#include "app/circuit/model_sections.h"

namespace blockscope {

namespace {

QString plain(const QString& rich) {
    QTextDocument document;
    document.setHtml(rich);
    return document.toPlainText();
}

QString quoted(QString text) {
    return QStringLiteral("\"%1\"").arg(text.replace(QLatin1Char('"'), QStringLiteral("\"\"")));
}

}  // namespace

QByteArray csv_of(const std::vector<ModelSection>& sections) {
    QString text;
    for (const ModelSection& section : sections) {
        if (!text.isEmpty()) text += QLatin1Char('\n');
        text += quoted(section.title) + QLatin1Char('\n');
        if (!section.note.isEmpty()) text += quoted(plain(section.note)) + QLatin1Char('\n');
        QStringList headers;
        for (const QString& header : section.headers) headers << quoted(plain(header));
        if (!headers.isEmpty()) text += headers.join(QLatin1Char(',')) + QLatin1Char('\n');
        for (const std::vector<ModelCell>& row : section.rows) {
            QStringList cells;
            for (const ModelCell& cell : row) cells << quoted(plain(cell.text));
            text += cells.join(QLatin1Char(',')) + QLatin1Char('\n');
        }
    }
    return text.toUtf8();
}

}  // namespace blockscope
