#include "app/words/words.h"

#include <QCoreApplication>
#include <QDir>
#include <QLibraryInfo>
#include <QLocale>

#include "core/cost/models/model.h"

// Of the library that the resources are linked in by; outside of all namespaces.
static void register_resources() {
    Q_INIT_RESOURCE(translations);
}

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

QString bytes_change(std::int64_t before, std::int64_t after) {
    const TwoTexts texts = bytes_texts_of(static_cast<double>(before), static_cast<double>(after));
    if (before == after) return QString::fromStdString(texts.after);
    return QCoreApplication::translate("Words", "%1 → %2")
        .arg(QString::fromStdString(texts.before), QString::fromStdString(texts.after));
}

QString as_sentence(const Text& text) {
    QString said = translated(text);
    // The id of a node ("n12") stays as it is written in pictures.
    const bool is_node = said.size() > 1 && said[0] == QLatin1Char('n') && said[1].isDigit();
    if (!said.isEmpty() && !is_node) said[0] = said[0].toUpper();
    return said.endsWith(QLatin1Char('.')) ? said : said + QLatin1Char('.');
}

namespace {

const QString kFolder = QStringLiteral(":/translations");

// lupdate writes some contexts without their namespace: those of classes whose tr() a function outside calls.
class Translation : public QTranslator {
public:
    using QTranslator::QTranslator;
    QString translate(const char* context, const char* text, const char* disambiguation,
                      int n) const override {
        QString found = QTranslator::translate(context, text, disambiguation, n);
        const QByteArray name = QByteArray::fromRawData(context, static_cast<qsizetype>(qstrlen(context)));
        if (!found.isNull() || !name.startsWith("blockscope::")) return found;
        return QTranslator::translate(context + qstrlen("blockscope::"), text, disambiguation, n);
    }
};

bool install(const QLocale& locale, const QString& name, const QString& folder) {
    auto* translator = new Translation(qApp);
    if (translator->load(locale, name, QStringLiteral("_"), folder))
        return QCoreApplication::installTranslator(translator);
    delete translator;
    return false;
}

QChar accented(QChar letter) {
    static const QString plain = QStringLiteral("aceginoprstuyzACEGINOPRSTUYZ");
    static const QString other = QStringLiteral("åçéĝîñöþŕšţüýžÅÇÉĜÎÑÖÞŔŠŢÜÝŽ");
    const auto at = plain.indexOf(letter);
    return at < 0 ? letter : other[at];
}

}  // namespace

QString PseudoLocale::translate(const char*, const char* text, const char*, int) const {
    QString source = QString::fromUtf8(text);
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

std::vector<Language> languages() {
    register_resources();
    std::vector<Language> all = {
        {{}, QCoreApplication::translate("Languages", "As the system")},
        {QStringLiteral("en"), QStringLiteral("English")},
    };
    for (const QString& file :
         QDir(kFolder).entryList({QStringLiteral("blockscope_*.qm")}, QDir::Files, QDir::Name)) {
        const QString code = file.section(QLatin1Char('_'), 1).section(QLatin1Char('.'), 0, 0);
        QString name = QLocale(code).nativeLanguageName();
        if (!name.isEmpty()) name[0] = name[0].toUpper();
        all.push_back({code, name});
    }
    return all;
}

void install_translations(const QString& code) {
    if (qEnvironmentVariable("BLOCKSCOPE_PSEUDO") == QLatin1String("1")) {
        QCoreApplication::installTranslator(new PseudoLocale(qApp));
        return;
    }
    register_resources();
    const QLocale locale = code.isEmpty() ? QLocale() : QLocale(code);
    if (!code.isEmpty()) QLocale::setDefault(locale);  // numbers are written as the language does
    if (!install(locale, QStringLiteral("blockscope"), kFolder)) return;
    // The buttons and file dialogs of Qt, where its translations are installed.
    install(locale, QStringLiteral("qtbase"), QLibraryInfo::path(QLibraryInfo::TranslationsPath));
}

}  // namespace blockscope
