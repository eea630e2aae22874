// A derivation on paper: every stage's picture with its number, rule and words, in rows that read from left
// to right. What the next rewrite matches glows, and what the last one made.
#pragma once

#include <QByteArray>
#include <QPainter>
#include <string>
#include <vector>

#include "app/export/derivation.h"

namespace blockscope {

// One stage on a page, in pixels.
struct StripPanel {
    int stage = 0;
    Rect rect;             // of header, words and picture
    double words_top = 0;  // where the explanation begins
    double picture_top = 0;
};

struct StripPage {
    std::vector<StripPanel> panels;
};

struct StripLayout {
    Size size;         // of each page
    double scale = 1;  // of all pictures
    double title = 0;  // height of the heading on the first page
    std::vector<StripPage> pages;
};

// Pages of A4, landscape or portrait, whichever shows more.
StripLayout lay_out_pages(const Derivation& derivation);
// One page as high as it needs to be.
StripLayout lay_out_sheet(const Derivation& derivation);

std::string strip_svg(const Derivation& derivation, const Theme& theme);
// One of its pages.
void paint_strip_page(QPainter& painter, const Derivation& derivation, const Theme& theme,
                      const StripLayout& layout, int page);
QByteArray strip_pdf(const Derivation& derivation, const Theme& theme);

// The words of a derivation on paper. Internal to app/export.

constexpr double kStageHeader = 54;  // number, rule, name and counts, above each picture

double strip_title_height(const Derivation& derivation, double width);
double stage_words_height(const Stage& stage, double width);

// Name, counts and what the lights mean; `rect` as high as strip_title_height says.
void paint_strip_title(QPainter& painter, const Derivation& derivation, const Theme& theme, const Rect& rect);
void paint_stage_header(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& rect);
void paint_stage_words(QPainter& painter, const Stage& stage, const Theme& theme, const Rect& rect);

// "derivation, page 2 of 4"
void paint_page_foot(QPainter& painter, const Derivation& derivation, const Theme& theme, const Rect& page,
                     int number, int pages);

}  // namespace blockscope
