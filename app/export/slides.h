// A derivation as slides of 16:9, one stage each: the picture so large that it can be read from the last row,
// the sentence of the step, bytes before and after. A title goes before them, and what was gained comes after
// them.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <optional>
#include <string>
#include <vector>

#include "app/export/derivation.h"

namespace blockscope {

struct Slide {
    enum class Kind : std::uint8_t {
        Title,   // what the program is, and what fusing it gains
        Legend,  // how pictures are read
        Stage,
        End,  // before and after
    } kind = Kind::Stage;
    int stage = 0;  // of Kind::Stage
};
std::vector<Slide> slides_of(const Derivation& derivation);

// Pixels; 13.3 x 7.5 inches.
inline constexpr Size kSlide{1280, 720};
// Names of a part of a picture are 13.4 pixels high at this scale: 20 on a screen of 1080 rows.
inline constexpr double kSlideScale = 13.4 / 12;
// Of pictures on slides: as wide and high as their room at that scale.
PictureShape slide_shape();

// What of a picture is seen on a slide, and how large. All of it, unless its names would be lower than 10
// pixels then: in that case, what its stage is about.
struct SlideView {
    Rect part;  // picture coordinates
    double scale = 1;
    bool whole = true;
};
SlideView slide_view(const Stage& stage);

// "Before", "after", and what they are of: bytes, kernels, buffered edges.
struct SlideGain {
    QString what;
    QString before, after;
    double share = 1;  // after / before
};
std::vector<SlideGain> gains_of(const Derivation& derivation);

void paint_slide(QPainter& painter, const Derivation& derivation, const Slide& slide, const Theme& theme);

// What the speaker reads beside the slide.
std::vector<QString> notes_of(const Derivation& derivation, const Slide& slide);

// A page for each slide; with `notes` pages of A4 with the slide above what the speaker reads.
QByteArray slides_pdf(const Derivation& derivation, const Theme& theme, bool notes);

// ---- The same slides as one stand-alone HTML file, which the keyboard drives. It asks for nothing from
// anywhere. Well-formed as XML, too.

std::string deck_page(const Derivation& derivation);

extern const char* const kDeckStyle;
extern const char* const kDeckScript;

}  // namespace blockscope
