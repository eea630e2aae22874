#include "tests/document/random_actions.h"

#include <iterator>

#include "tests/document/contents.h"

namespace blockscope::test {

namespace {

int random_branch(Random& random, const Content& content) {
    return random.pick(content.history.branches()).id;
}

QString move(Random& random, Document& document) {
    switch (random.below(7)) {
        case 0:
            return document.forward(), "forward";
        case 1:
            return document.back(), "back";
        case 2:
            return document.next_snapshot(), "next snapshot";
        case 3:
            return document.previous_snapshot(), "previous snapshot";
        case 4:
            return document.home(), "home";
        case 5:
            return document.end(), "end";
        default:
            if (random.chance(50)) return document.go(random_state(random, document.content())), "go";
            document.go(random_state(random, document.content()), random_branch(random, document.content()));
            return "go on a branch";
    }
}

QString look(Random& random, Document& document) {
    const Content& content = document.content();
    const std::vector<NodePtr> nodes = content.program()->graph->nodes().vector();
    switch (random.below(7)) {
        case 0:
            return document.toggle_fold(random.pick(nodes)->id), "fold";
        case 1:
            return document.set_folds(random.chance(50) ? Folds{} : Folds{nodes[0]->id}, "folds"),
                   "set folds";
        case 2:
            return document.compare_with({random_state(random, content)}), "compare";
        case 3:
            document.move_block(random.pick(nodes)->id, {random.between(-9, 9), random.between(-9, 9)});
            return "move";
        case 4: {
            const auto color = static_cast<NoteColor>(random.below(static_cast<int>(kNoteColors.size())));
            document.pin_note(random.pick(nodes)->id, {random.chance(30) ? "" : "here", color});
            return "pin";
        }
        case 5: {
            TilingsWork work = content.tilings ? *content.tilings : TilingsWork{};
            work.choices.seed = random.below(3);
            if (random.chance(50))
                work.run_of("G2", "here").measured["mhnk m=16 n=16 k=16 h=16"] = 1 + random.below(3);
            document.set_tilings(std::move(work), "Tilings", random.chance(50) ? "tilings" : "");
            return "tilings";
        }
        default:
            if (random.chance(50)) return document.set_baseline({}), "no baseline";
            return document.set_baseline(random_state(random, content)), "baseline";
    }
}

QString set_sizes(Random& random, Document& document) {
    DimTable dims = document.content().program()->dims;
    Dim& dim = dims[static_cast<std::size_t>(random.below(static_cast<int>(dims.size())))];
    dim.size = random.between(4, 12);
    if (dim.kind == DimKind::Blocked) dim.block = random.between(1, 6);  // refused if above the size
    return document.set_dims(dims), "sizes";
}

QString change(Random& random, Document& document) {
    const Content& content = document.content();
    switch (random.below(11)) {
        case 0:
        case 1: {
            const std::vector<Match> matches = all_matches(*content.program());
            if (!matches.empty()) document.apply(random.pick(matches));
            return "apply";
        }
        case 2:
            return document.run_from_here(), "run";
        case 3:
            document.rename_branch(random_branch(random, content), QString::number(random.below(5)));
            return "rename";
        case 4:
            return document.remove_branch(random_branch(random, content)), "remove";
        case 5:
            document.set_note(random_state(random, content), QString("note %1").arg(random.below(3)));
            return "note";
        case 6:
            return document.tidy(), "tidy";
        case 7:
        case 8: {
            Content changed = random_circuit_change(random, content);
            if (changed.circuit != content.circuit) document.change("Circuit", std::move(changed));
            return "circuit";
        }
        case 9: {
            const int first = random.between(1, 6);
            document.group_steps(first, first + random.below(4), random.chance(20) ? "" : "together");
            return "group";
        }
        default:
            if (random.chance(70)) return set_sizes(random, document);
            return document.set_source(QString::fromStdString(content.source) + "# more\n"), "source";
    }
}

}  // namespace

QString random_action(Random& random, Document& document, bool with_undo) {
    const int kind = random.below(with_undo ? 10 : 9);
    if (kind < 4) return move(random, document);
    if (kind < 5) return look(random, document);
    if (kind < 9) return change(random, document);
    if (random.chance(60)) return document.undo(), "undo";
    return document.redo(), "redo";
}

}  // namespace blockscope::test
