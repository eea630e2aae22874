// Writes the core's fixed texts as a source file for lupdate, which knows no other.
#include <cstdio>
#include <string>

#include "core/cost/models/model.h"
#include "core/rules/rule.h"

namespace {

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') result += '\\';
        result += c;
    }
    return result + '"';
}

}  // namespace

int main() {
    std::puts("const char* const kTexts[] = {");
    for (const blockscope::Rule& rule : blockscope::rules())
        for (const std::string& text :
             {rule.name, rule.summary, rule.condition, rule.reason, rule.use, rule.section})
            std::printf("    QT_TRANSLATE_NOOP(\"Core\", %s),\n", quoted(text).c_str());
    for (const blockscope::TimeModel& model : blockscope::time_models())
        for (const std::string& text : {model.title, model.explanation})
            std::printf("    QT_TRANSLATE_NOOP(\"Core\", %s),\n", quoted(text).c_str());
    std::puts("};");
}
