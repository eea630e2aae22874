// The run that a document shows, in words: the sentence of the current step, the chapters of the branch, what
// the state is called. Made off the interface thread.
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "app/document/document.h"
#include "app/document/work.h"
#include "core/story/chapters.h"
#include "core/story/program_names.h"
#include "core/story/step_story.h"

namespace blockscope {

// What is said of one state.
struct StateTold {
    StateId state = 0;
    std::optional<StepStory> step;  // that led here; none for the initial program
    bool safe = false;              // all of it is of the numerically safe form
    Text called;                    // "This is Flash Attention: ..."; empty for most states
    Text adds;                      // what a kernel that people use has besides; empty with it
    Text online;                    // of the safe form: "m is the running maximum, ..."
    std::string same_branch;        // a state of another branch is the same program: the branch's name
    int same_step = 0;              // and after how many steps it is
    std::shared_ptr<const ProgramNames> names;
};

class Telling : public QObject {
    Q_OBJECT

public:
    explicit Telling(Document& document);
    // The document's own instance, created by the first call.
    static Telling& of(Document& document);

    // Of the current state; null until it is known.
    const StateTold* current() const;
    // Of the branch that is shown, by its steps; empty until they are known.
    const std::vector<Chapter>& chapters() const { return chapters_; }
    // The title of the chapter that the step is in; empty if there is none.
    QString chapter(int step) const;
    Work& work() { return work_; }

Q_SIGNALS:
    void told_now();  // current() or chapters() is new

private:
    void tell();
    void take(const ContentPtr& content, StateTold told, std::vector<Chapter> chapters);

    Document& document_;
    ContentPtr asked_;
    std::vector<GroupedSteps> grouped_;      // those of the document that chapters_ are with
    ProgramPtr chaptered_;                   // the last program of the run that chapters_ are of
    std::map<ProgramPtr, StateTold> known_;  // of this document; keeps the programs
    bool safe_ = false;                      // the form that they are told in
    std::vector<Chapter> chapters_;
    Work work_;  // the last member: its destructor waits for jobs that use the others
};

// The caption of a state: its sentence, and the bytes before and after. Plain texts, in the user's language.
struct CaptionWords {
    QString chapter;  // "Line the loops up"; empty before the first step
    QString head;     // "Line the loops up · Step 3 of 17 · fuse loops"
    // The same for less room, the longest first: without the chapter, then without the rule.
    QStringList short_heads;
    QString sentence;  // of the step; what can be done, before the first one
    QString bytes;     // "538 MB → 473 MB"
    // Of a state that has a name: "This is Flash Attention: ..."; stands in the place of the sentence, whose
    // rest is in `bytes`.
    QString called;
    QString done;  // what the step did and why, for in front of it, and
    QString adds;  // what a kernel that people use has besides, for behind it: where there is room
};
CaptionWords caption_words(Document& document);

// Whether the branch that is shown left the first one, the algorithm's; and back to where it did.
bool left_algorithm(const Document& document);
void back_to_algorithm(Document& document);

}  // namespace blockscope
