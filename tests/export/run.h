// The algorithm's run on a sample, with the pictures of its states.
#pragma once

#include <string>

#include "app/document/pictures.h"
#include "app/export/derivation.h"

namespace blockscope::test {

struct FusedRun {
    explicit FusedRun(const std::string& sample);
    PictureSource source();
    Derivation derivation(Stages stages = Stages::All);
    PicturePtr last();

    ContentPtr content;
    Pictures pictures{qt_measure()};
};

// Whether `text` is well-formed XML; what is wrong, else empty.
std::string xml_problem(const std::string& text);

}  // namespace blockscope::test
