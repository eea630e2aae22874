// One way through a history as it is told on paper: a picture for every state, what led to it in words, and
// what lights up.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "app/document/content.h"
#include "app/panels/listing_panel.h"
#include "app/scene/legend.h"

namespace blockscope {

// A state that is shown.
struct Stage {
    StateId state = 0;
    int number = 0;  // of the step that led here, counted from the initial program, which is 0
    int rewrites =
        0;  // since the stage before: 0 for the initial program, more than 1 if stages are left out
    std::string rule;         // "1", "6a"; empty for the initial program and after several rewrites
    std::string title;        // "Fuse Consecutive Maps", "Initial block program", "3 rewrites: rules 1, 4, 3"
    std::string explanation;  // of the last rewrite; empty after several
    std::string note;
    int snapshot = 0;  // 1 for the first snapshot; 0: none is here
    int buffered_before = 0, buffered_after = 0;
    PicturePtr picture;
    std::vector<NodeId> made;     // by the rewrites that led here
    std::vector<NodeId> matched;  // by the next rewrite, if the next stage follows at once
    ListingComparison listing;    // against that of the stage before
};

struct Derivation {
    std::string name;
    std::string stopped;  // why the run ended; empty if it has not
    std::vector<Stage> stages;
};

enum class Stages : std::uint8_t { All, Snapshots };  // snapshots: and the initial program

// Gives the picture of a state; null ends the work (it was cancelled).
using PictureSource = std::function<PicturePtr(StateId)>;

// The way from the initial program to the tip of the content's branch. Empty if `pictures` gave none.
std::optional<Derivation> derive(const Content& content, Stages stages, const PictureSource& pictures);

// What glows in the picture of a stage.
Lights lights_of(const Stage& stage);

// What a legend of all its pictures explains.
Signs signs_of(const Derivation& derivation);

}  // namespace blockscope
