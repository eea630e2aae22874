#include "app/window/panel_table.h"

#include <QtGlobal>

#include "app/circuit/circuit_page.h"
#include "app/circuit/kernel_tables.h"
#include "app/circuit/steps_panel.h"
#include "app/costs/cost_page.h"
#include "app/cuda/cuda_page.h"
#include "app/panels/array_view.h"
#include "app/panels/editor_panel.h"
#include "app/panels/listing_panel.h"
#include "app/panels/outline_panel.h"
#include "app/panels/search_panel.h"
#include "app/panels/sizes_panel.h"
#include "app/panels/step_panels.h"

#define TEXT(text) QT_TRANSLATE_NOOP("actions", text)

namespace blockscope {

namespace {

template <class Panel>
QWidget* make(Document& document, Services& services) {
    return new Panel(document, services);
}

}  // namespace

const std::vector<PanelInfo>& panel_table() {
    static const std::vector<PanelInfo> table{
        {"panel.matches",
         TEXT("Matches"),
         TEXT("Every place where a rule applies, and why a rule does not."),
         {"Alt+M"},
         PanelArea::Left,
         true,
         &make_matches},
        {"panel.history",
         TEXT("History"),
         TEXT("All branches as a tree, with notes on steps."),
         {"Alt+B"},
         PanelArea::Left,
         true,
         &make_history},
        {"panel.timeline",
         TEXT("Timeline"),
         TEXT("The steps of the branch, playing, and a slider over the run."),
         {"Alt+T"},
         PanelArea::Bottom,
         true,
         &make_timeline},
        {"panel.listing",
         TEXT("Listing"),
         TEXT("The state as pseudocode, with what changed, linked with the picture."),
         {"Alt+L"},
         PanelArea::Right,
         true,
         &make<ListingPanel>},
        {"panel.rule",
         TEXT("Rule"),
         TEXT("The rule of the current step: both sides drawn, its condition, why it preserves meaning."),
         {"Alt+R"},
         PanelArea::Right,
         true,
         &make_rule_card},
        {"panel.sizes",
         TEXT("Sizes"),
         TEXT("Sizes and block sizes, and what the state costs with them."),
         {"Alt+D"},
         PanelArea::Right,
         true,
         &make<SizesPanel>},
        {"panel.editor",
         TEXT("Program"),
         TEXT("The program as text, with problems shown while typing."),
         {"Ctrl+E"},
         PanelArea::Right,
         true,
         &make<EditorPanel>},
        {"panel.circuit_steps",
         TEXT("Circuit steps"),
         TEXT("The circuit step by step: its axes, what can be done with them and why, and what it costs."),
         {"Alt+N"},
         PanelArea::Right,
         true,
         &make<StepsPanel>},
        {"panel.kernel",
         TEXT("Kernel"),
         TEXT("The algorithm as a kernel of warpgroups: pseudocode, sizes and limits, clocks and overlap."),
         {"Alt+K"},
         PanelArea::Bottom,
         false,
         &make<KernelPanel>},
        {"panel.outline",
         TEXT("Outline"),
         TEXT("Maps and operators as a tree; its boxes fold and unfold maps."),
         {"Alt+O"},
         PanelArea::Left,
         true,
         &make<OutlinePanel>},
        {"panel.search",
         TEXT("Find"),
         TEXT("Finds nodes by name, operator, type or regular expression."),
         {"Ctrl+F"},
         PanelArea::Left,
         false,
         &make<SearchPanel>},
        {"panel.array",
         TEXT("Array program"),
         TEXT("The operators on whole arrays, before there are blocks."),
         {"Alt+A"},
         PanelArea::Centre,
         true,
         &make<ArrayView>},
        {"panel.circuit",
         TEXT("Circuit"),
         TEXT("The neural circuit diagram: wires, levels, groups and streams, what is moved and what is "
              "held."),
         {"Alt+I"},
         PanelArea::Centre,
         true,
         &make<CircuitPage>},
        {"panel.costs",
         TEXT("Costs"),
         TEXT("What every state costs: a table, charts, formulas, predicted and measured times."),
         {"Alt+C"},
         PanelArea::Centre,
         true,
         &make<CostPage>},
        {"panel.cuda",
         TEXT("CUDA"),
         TEXT("The state as CUDA: source, what the compiler makes of it, times on a graphics card."),
         {"Alt+X"},
         PanelArea::Centre,
         true,
         &make<CudaPage>},
    };
    return table;
}

}  // namespace blockscope
