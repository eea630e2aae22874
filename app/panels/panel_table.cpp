#include "app/panels/panel_table.h"

#include <QtGlobal>

#include "app/panels/listing_panel.h"

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
        {"panel.listing",
         TEXT("Listing"),
         TEXT("The state as pseudocode, with what changed, linked with the picture."),
         {"Alt+L"},
         PanelArea::Right,
         true,
         &make<ListingPanel>},
    };
    return table;
}

}  // namespace blockscope
