// The run that a program is opened with.
#pragma once

#include "app/document/content.h"
#include "app/document/work.h"

namespace blockscope {

// prepared() for no longer than two seconds: a program whose run takes longer is shown with the steps so far
// (Branch::stopped is empty then), the next ones come as they are asked for.
Content first_run(Content content, const Stop& stop);

}  // namespace blockscope
