// A note that the user has pinned to a block of the picture, in a colour of its own. The colour marks the
// block, too; what it means is what the note says.
#pragma once

#include <array>
#include <cstdint>
#include <string>

namespace blockscope {

enum class NoteColor : std::uint8_t { Yellow, Blue, Green, Orange, Purple };

// As documents have them, in the order of the enumeration.
constexpr std::array<const char*, 5> kNoteColors{"yellow", "blue", "green", "orange", "purple"};

struct PinnedNote {
    std::string text;  // plain, any number of lines
    NoteColor color = NoteColor::Yellow;
    bool operator==(const PinnedNote&) const = default;
};

}  // namespace blockscope
