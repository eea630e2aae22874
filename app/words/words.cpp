#include "app/words/words.h"

#include <QCoreApplication>

namespace blockscope {

QString translated(const Text& text) {
    const QByteArray english = QByteArray::fromStdString(std::string(text.english()));
    if (!text.is_template()) return QString::fromUtf8(english);
    const QString pattern = QCoreApplication::translate("Core", english.constData());
    QString result;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const int place =
            pattern[i] == QLatin1Char('%') && i + 1 < pattern.size() ? pattern[i + 1].digitValue() : 0;
        if (place < 1 || place > static_cast<int>(text.arguments().size())) {
            result += pattern[i];
            continue;
        }
        result += translated(text.arguments()[static_cast<std::size_t>(place - 1)]);
        ++i;
    }
    return result;
}

QString translated(const Problem& problem) {
    Problem said = problem;
    said.message = translated(problem.message).toStdString();
    return QString::fromStdString(to_string(said));
}

QString as_sentence(const Text& text) {
    QString said = translated(text);
    // The id of a node ("n12") stays as it is written in pictures.
    const bool is_node = said.size() > 1 && said[0] == QLatin1Char('n') && said[1].isDigit();
    if (!said.isEmpty() && !is_node) said[0] = said[0].toUpper();
    return said.endsWith(QLatin1Char('.')) ? said : said + QLatin1Char('.');
}

}  // namespace blockscope
