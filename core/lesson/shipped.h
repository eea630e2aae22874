// The lessons of samples/lessons, compiled in: they are there wherever the program runs.
#pragma once

#include <string>
#include <vector>

namespace blockscope::lesson {

struct ShippedText {
    const char* name;  // of the file, without the ending
    const char* text;
};

// In the order in which they are meant to be taken.
const std::vector<ShippedText>& shipped_lessons();
// The tour of the window, samples/lessons/tour.md: a lesson of its own kind.
const ShippedText& shipped_tour();
// The programs of samples that they use, and all others of that folder, by file name.
const std::vector<ShippedText>& shipped_programs();

}  // namespace blockscope::lesson
