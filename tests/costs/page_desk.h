// The costs page of attention, counted.
#pragma once

#include <gtest/gtest.h>

#include <QTableView>
#include <memory>

#include "app/costs/cost_page.h"
#include "tests/panels/text_support.h"

namespace blockscope::test {

struct PageDesk : Desk {
    PageDesk() {
        services.say = [this](const QString& text) { said = text; };
        open("attention");
        page = std::make_unique<CostPage>(document, services);
        page->resize(900, 700);
        page->show();
        EXPECT_TRUE(wait_until([this] { return !Costs::of(document).busy(); }));
    }
    QString cell(int row, int column) { return page->table().index(row, column).data().toString(); }
    void choose(int row, int column) { page->table_view().setCurrentIndex(page->table().index(row, column)); }

    QString said;
    std::unique_ptr<CostPage> page;
};

}  // namespace blockscope::test
