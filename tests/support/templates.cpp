#include "tests/support/templates.h"

#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <stdexcept>

namespace blockscope::test {
namespace {

std::set<std::string> list_templates() {
    const std::string root = BLOCKSCOPE_SOURCE_DIR;
    const std::string file =
        (std::filesystem::temp_directory_path() / ("templates" + std::to_string(getpid()) + ".cpp")).string();
    const std::string command = std::string(BLOCKSCOPE_CMAKE) + " -D SOURCE_DIR=" + root +
                                " -D OUTPUT=" + file + " -P " + root + "/app/words/templates.cmake";
    if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
    std::set<std::string> found;
    std::ifstream lines(file);
    for (std::string line; std::getline(lines, line);) {
        const std::string before = "    QT_TRANSLATE_NOOP(\"Core\", \"";
        if (line.compare(0, before.size(), before) != 0) continue;
        std::string text = line.substr(before.size(), line.rfind('"') - before.size());
        for (std::size_t at = 0; (at = text.find('\\', at)) != std::string::npos; ++at)
            text.replace(at, 2, 1, text[at + 1] == 'n' ? '\n' : text[at + 1]);
        found.insert(text);
    }
    std::filesystem::remove(file);
    return found;
}

}  // namespace

const std::set<std::string>& listed_templates() {
    static const std::set<std::string> kListed = list_templates();
    return kListed;
}

bool has_words(std::string verbatim) {
    static const std::array<std::regex, 4> kQuoted = {std::regex("\"[^\"]*\""), std::regex("'[^']*'"),
                                                      std::regex("\\[[^\\]]*\\]"), std::regex("\\{.*\\}")};
    static const std::regex kTwoWords("(^|[^A-Za-z_.(=])[a-z]{2,} +[a-z]{2,}");
    for (const std::regex& quoted : kQuoted) verbatim = std::regex_replace(verbatim, quoted, "#");
    return std::regex_search(verbatim, kTwoWords);
}

void look_for_untranslated(const Text& text, std::set<std::string>& missing) {
    const std::string english(text.english());
    const bool fine = text.is_template() ? listed_templates().count(english) > 0 : !has_words(english);
    if (!fine) missing.insert(english);
    if (english == "this is not JSON: %1") return;  // goes on with what the JSON library says
    for (std::size_t i = 0; i < text.arguments().size(); ++i) {
        const std::string place = "%" + std::to_string(i + 1);
        const bool quoted = english.find('"' + place + '"') != std::string::npos ||
                            english.find("'" + place + "'") != std::string::npos;
        if (!quoted || text.arguments()[i].is_template()) look_for_untranslated(text.arguments()[i], missing);
    }
}

}  // namespace blockscope::test
