// What the core says, in the user's language. The core has no Qt and speaks English in templates
// (core/support/ text.h): "%1 is not a map". A translation of a template is looked up in the context "Core",
// and filled with the same arguments. What has no translation stays as it is.
#pragma once

#include <QString>
#include <QTranslator>
#include <cstdint>
#include <vector>

#include "core/support/result.h"

namespace blockscope {

QString translated(const Text& text);
// With its place in front: "file.bp:3:7: ...".
QString translated(const Problem& problem);
// With a capital letter at the start and a full stop at the end.
QString as_sentence(const Text& text);

// "471 MB → 439 MB", one number where both are the same; of numbers that differ both are seen to.
QString bytes_change(std::int64_t before, std::int64_t after);

// ---- The languages that the program speaks: English, and those of resources/translations (its README.md
// says how to add one).

struct Language {
    QString code;  // "fr"; empty: as the system is
    QString name;  // in itself
};
// As the system, English, then the others by code.
std::vector<Language> languages();

// A made-up language that shows which texts are not prepared for translation and which places are too narrow
// for longer ones: "Next step" becomes "[!! Ñéxţ šţéþ !!]".
class PseudoLocale : public QTranslator {
    Q_OBJECT

public:
    explicit PseudoLocale(QObject* parent = nullptr) : QTranslator(parent) {}
    bool isEmpty() const override { return false; }
    QString translate(const char* context, const char* text, const char* disambiguation,
                      int n) const override;
};

// Installs the translation for `code`, or the made-up language if the environment says BLOCKSCOPE_PSEUDO=1.
// For the time before the first window: what is shown keeps its language.
void install_translations(const QString& code = {});

}  // namespace blockscope
