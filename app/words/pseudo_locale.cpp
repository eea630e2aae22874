#include "app/words/pseudo_locale.h"

namespace blockscope {
namespace {

QChar accented(QChar letter) {
    static const QString plain = QStringLiteral("aceginoprstuyzACEGINOPRSTUYZ");
    static const QString other = QStringLiteral("åçéĝîñöþŕšţüýžÅÇÉĜÎÑÖÞŔŠŢÜÝŽ");
    const auto at = plain.indexOf(letter);
    return at < 0 ? letter : other[at];
}

}  // namespace

QString PseudoLocale::translate(const char*, const char* text, const char*, int) const {
    const QString source = QString::fromUtf8(text);
    if (source.trimmed().isEmpty()) return source;
    QString result;
    for (int i = 0; i < source.size(); ++i) {
        // Places for arguments (%1, %L1, %n) stay as they are; so do tags.
        if (source[i] == QLatin1Char('%') && i + 1 < source.size()) {
            result += source[i];
            result += source[++i];
        } else if (source[i] == QLatin1Char('<') && source.indexOf(QLatin1Char('>'), i) > i) {
            const auto end = source.indexOf(QLatin1Char('>'), i);
            result += source.mid(i, end - i + 1);
            i = static_cast<int>(end);
        } else {
            result += accented(source[i]);
        }
    }
    return QStringLiteral("[!! %1 !!]").arg(result);
}

}  // namespace blockscope
