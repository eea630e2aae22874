// The languages that the program speaks: English, and those of resources/translations.
#pragma once

#include <QString>
#include <vector>

namespace blockscope {

struct Language {
    QString code;  // "de"; empty: as the system is
    QString name;  // in itself
};
// As the system, English, then the others by code.
std::vector<Language> languages();

// Installs the translation for `code`, or the made-up language (pseudo_locale.h) if the environment says
// BLOCKSCOPE_PSEUDO=1. For the time before the first window: what is shown keeps its language.
void install_translations(const QString& code = {});

}  // namespace blockscope
