#include "tests/export/run.h"

#include <QXmlStreamReader>
#include <fstream>
#include <sstream>

namespace blockscope::test {

FusedRun::FusedRun(const std::string& sample) {
    const std::string file = std::string(BLOCKSCOPE_SOURCE_DIR) + "/samples/" + sample + ".bp";
    std::ifstream in(file);
    std::stringstream text;
    text << in.rdbuf();
    Content made = run_algorithm(std::move(content_of_source(text.str(), file)).value(), 0);
    made.current = made.history.branch(made.branch).tip;
    content = std::make_shared<const Content>(std::move(made));
}

PictureSource FusedRun::source() {
    return [this](StateId id, const PictureShape& shape, const std::optional<Folds>& folds) {
        return pictures.now(with_folds(content, folds), id, shape);
    };
}

Derivation FusedRun::derivation(Stages stages) {
    return derive(*content, stages, source()).value();
}

PicturePtr FusedRun::last() {
    return pictures.now(content, content->current);
}

std::string xml_problem(const std::string& text) {
    QXmlStreamReader reader(QByteArray::fromStdString(text));
    while (!reader.atEnd()) reader.readNext();
    return reader.hasError() ? reader.errorString().toStdString() : std::string();
}

}  // namespace blockscope::test
