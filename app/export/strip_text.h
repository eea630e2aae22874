// The words of a derivation on paper. Internal to app/export.
#pragma once

#include <QPainter>

#include "app/export/derivation.h"

namespace blockscope {

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
