#include "app/window/step_actions.h"

#include <QCoreApplication>
#include <memory>

namespace blockscope {
namespace {

struct StepActions {
    Q_DECLARE_TR_FUNCTIONS(StepActions)
};

// Runs the algorithm on from the current state, off the interface thread, and then to its end if `go_there`.
void run_on(Document& document, Work& work, bool go_there) {
    const ContentPtr before = document.snapshot();
    work.start(StepActions::tr("Running the algorithm"),
               [&document, before, go_there](const Stop& stop) -> Work::Finish {
                   auto content = std::make_shared<Content>(
                       run_algorithm(*before, before->current, [&stop](const Step&) { return !stop; }));
                   return [&document, before, content, go_there] {
                       if (document.snapshot() != before) return;  // something else was done meanwhile
                       if (go_there) content->current = content->history.branch(content->branch).tip;
                       document.change(StepActions::tr("Run the algorithm"), std::move(*content));
                   };
               });
}

void to_end(Document& document, Work& work) {
    if (document.empty()) return;
    const Branch& branch = document.content().history.branch(document.content().branch);
    if (document.content().current == branch.tip && branch.stopped.empty())
        return run_on(document, work, true);
    document.end();
}

void refresh(Actions& actions, const Document& document) {
    const bool open = !document.empty();
    actions.enable("edit.undo", document.can_undo());
    actions.enable("edit.redo", document.can_redo());
    const auto text = [&](const char* id, const QString& label) {
        const QString plain = action_text(actions.info(id));
        actions.get(id)->setText(label.isEmpty() ? plain : QStringLiteral("%1: %2").arg(plain, label));
    };
    text("edit.undo", document.undo_label());
    text("edit.redo", document.redo_label());
    for (const char* id : {"step.forward", "step.next_snapshot", "step.end"})
        actions.enable(id, document.can_forward());
    for (const char* id : {"step.back", "step.home", "step.previous_snapshot"})
        actions.enable(id, document.can_back());
    actions.enable("step.run", open);
    for (const char* id :
         {"view.toggle_fold", "view.fold_all", "view.unfold_all", "view.fold_depth_1", "view.fold_depth_2",
          "view.fold_depth_3", "view.tidy", "view.fit", "view.fit_selection", "view.actual_size",
          "view.zoom_in", "view.zoom_out", "edit.copy_picture"})
        actions.enable(id, open);
}

}  // namespace

void connect_step_actions(Actions& actions, Document& document, Work& work) {
    actions.on("edit.undo", [&document] { document.undo(); });
    actions.on("edit.redo", [&document] { document.redo(); });
    actions.on("step.forward", [&document] { document.forward(); });
    actions.on("step.back", [&document] { document.back(); });
    actions.on("step.next_snapshot", [&document] { document.next_snapshot(); });
    actions.on("step.previous_snapshot", [&document] { document.previous_snapshot(); });
    actions.on("step.home", [&document] { document.home(); });
    actions.on("step.end", [&document, &work] { to_end(document, work); });
    actions.on("step.run", [&document, &work] {
        if (!document.empty()) run_on(document, work, false);
    });
    const auto look = [&actions, &document] { refresh(actions, document); };
    QObject::connect(&document, &Document::content_changed, &actions, look);
    look();
}

}  // namespace blockscope
