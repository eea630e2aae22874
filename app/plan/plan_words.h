// What the page Plan says: the ways of deciding by their names, kernels by letters, why operators are
// together, and all of it as plain text.
#pragma once

#include <QString>
#include <string>

#include "app/plan/plan_search.h"

namespace blockscope {

// With a capital letter.
QString capital(QString text);
// "Largest saving first"; of a name that has no row, that name.
QString way_title(const std::string& name);
// In which order the ways stand.
int way_place(const std::string& name);

// "A", "B", ... "Z", "AA": kernels in the order in which they run.
QString kernel_letter(std::size_t kernel);
// The kernel of the way that has the node.
std::size_t kernel_of(const PlannedWay& way, int node);

// "P = softmax".
QString operator_text(const FoundPlans& plans, int node);
// "Q = matmul, P = softmax".
QString operators_text(const FoundPlans& plans, const plan::FusionGroup& kernel);
// "algorithmic rewrite, saves 60%": the kind of fusion that the kernel is, and what that saves by the
// taxonomy's arithmetic. Of one operator it is empty.
QString fusion_text(const FoundPlans& plans, const plan::FusionGroup& kernel);
// "M 128, D 64": of the dimensions that have blocks.
QString blocks_text(const ArrayProgram& program);
// What binds the kernel's time: "memory".
QString binding_text(const worker::GroupCost& cost);
// What the kernel's state is called: "Snapshot 2".
QString state_text(const worker::GroupCost& cost);
// "No state of A is one launch: snapshot 5 has 12."; empty where all kernels of the way are one.
QString launches_text(const PlannedWay& way);
// "1.61 ×" of the exact plan's time.
QString multiple_text(double times);
// "42 %".
QString share_text(double share);

// The whole answer in a sentence or two.
QString best_plan_text(const FoundPlans& plans);
// While the search goes on.
QString so_far_text(const FoundPlans& plans);
// Why the way has no plan.
QString no_plan_text(const FoundPlans& plans, const PlannedWay& way);
// Why two operators of a way are, or are not, one kernel.
QString why_text(const FoundPlans& plans, const PlannedWay& way, int a, int b, const worker::PlanWhy& why);
// What the rules, the checklist and the guide's estimate say of some operators.
QString rules_text(const OperatorAnswer& answer);
QString benefit_text(const OperatorAnswer& answer);
// What a step of a way decides: "3 of 12: ...".
QString step_text(const plan::Decided& decided, std::size_t step);
// All ways as a table, then the kernels of this one.
QString plain_text(const FoundPlans& plans, const PlannedWay& way);

}  // namespace blockscope
