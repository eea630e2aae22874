// A run as a file of one of the kinds of app/files/file_formats.h that show stages.
#pragma once

#include <QByteArray>
#include <optional>
#include <string>

#include "app/export/derivation.h"
#include "app/scene/theme.h"

namespace blockscope {

struct RunLook {
    Stages stages = Stages::All;
    Theme theme = Theme::light();
    bool notes = false;  // of slides
    QString opened;      // the file or the sample that is told of, for links to its states; empty: none
};

// None if `pictures` gave none (the work was cancelled); empty if there is no such kind or format.
std::optional<QByteArray> write_run(const std::string& kind, const std::string& format,
                                    const Content& content, const RunLook& look,
                                    const PictureSource& pictures);
// The shape that pictures of such a file have.
PictureShape shape_of(const std::string& kind);

}  // namespace blockscope
