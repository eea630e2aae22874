// One way through a history as it is told on paper: a picture for every state, what led to it in words, and
// what lights up.
#pragma once

#include <QString>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "app/document/content.h"
#include "app/layout/shape.h"
#include "app/panels/listing_rows.h"
#include "app/scene/legend.h"

namespace blockscope {

// A question about the step that leads to the next stage (core/story/questions.h), in words.
struct StageQuestion {
    std::string asked;
    std::vector<std::string> choices;
    int right = 0;
};

// A state that is shown.
struct Stage {
    StateId state = 0;
    int number = 0;  // of the step that led here, counted from the initial program, which is 0
    int rewrites =
        0;  // since the stage before: 0 for the initial program, more than 1 if stages are left out
    std::string rule;         // "1", "6a"; empty for the initial program and after several rewrites
    std::string title;        // "fuse loops", "Initial program", "3 rewrites: rules 1, 4, 3"
    std::string explanation;  // of the last rewrite; empty after several
    std::string told;         // what the step did, why, and what it saves or prepares; empty after several
    std::string chapter;      // that the step is in: "Line the loops up"
    std::string called;       // "This is Flash Attention: ..."; empty for most states
    // Of several rewrites: what each of them did, with its number: "7 The scaling by 1/x of P moves ...".
    std::vector<std::string> steps;
    std::string reason;  // why its rule preserves meaning; empty after several
    std::string note;    // notes of the user's, of all rewrites
    int snapshot = 0;    // 1 for the first snapshot; 0: none is here
    int buffered_before = 0, buffered_after = 0;
    std::int64_t bytes_before = 0, bytes_after = 0;  // between global and local memory
    std::int64_t launches = 0;                       // kernels
    std::string link;  // the command that opens this state: "blockscope attention --step 7"; may be empty
    PicturePtr picture;
    std::map<NodeId, PinnedNote> pinned;   // notes of the user's on its blocks
    std::vector<StageQuestion> questions;  // whose answer is the next stage, if that follows at once
    std::vector<NodeId> made;              // by the rewrites that led here
    std::vector<NodeId> matched;           // by the next rewrite, if the next stage follows at once
    ListingComparison listing;             // against that of the stage before
};

struct Derivation {
    std::string name;
    std::string stopped;  // why the run ended; empty if it has not
    std::string source;   // the program as its author wrote it; empty for block programs
    std::vector<Stage> stages;
};

// Every step, the snapshots, or the end of each chapter; the initial program is always the first.
enum class Stages : std::uint8_t { All, Snapshots, Chapters };

// Gives the picture of a state in a shape, with these maps folded (none given: those of the content); null
// ends the work (it was cancelled).
using PictureSource =
    std::function<PicturePtr(StateId, const PictureShape&, const std::optional<Folds>& folds)>;

// The same with these maps folded; without any given as it is. For sources of pictures.
ContentPtr with_folds(const ContentPtr& content, const std::optional<Folds>& folds);

// The way from the initial program to the tip of the content's branch, with pictures of that shape; its first
// `most` stages. Empty if `pictures` gave none.
std::optional<Derivation> derive(const Content& content, Stages stages, const PictureSource& pictures,
                                 const PictureShape& shape = {}, std::size_t most = SIZE_MAX);

// What glows in the picture of a stage.
Lights lights_of(const Stage& stage);

// What a legend of all its pictures explains.
Signs signs_of(const Derivation& derivation);

// "Step 7 · rule 4: Swap Scale and Dot", "Steps 1 to 6": what led to the stage, as a heading.
QString heading_of(const Stage& stage);
// "538 MB", "538 MB → 473 MB": bytes between global and local memory.
QString moved_text(const Stage& stage);
// What a speaker may want to know beside a stage: what the rule is and why it holds, a question for the room
// with its answer, the user's own notes. Paragraphs.
std::vector<QString> notes_of(const Stage& stage);

// ---- A derivation as one stand-alone HTML page that steps with the arrow keys. It asks for nothing from
// anywhere.

// Well-formed as XML too. The drawings of all stages share what they have in common.
std::string derivation_page(const Derivation& derivation);

// What the page is made of besides the derivation.
extern const char* const kPageStyle;
extern const char* const kPageScript;

}  // namespace blockscope
