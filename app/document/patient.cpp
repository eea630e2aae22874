#include "app/document/patient.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace blockscope {

void be_patient([[maybe_unused]] Patience patience) {
#ifdef __linux__
    const int nice = patience == Patience::Little ? 5 : patience == Patience::Some ? 10 : 19;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), nice);  // of this thread alone
#endif
}

}  // namespace blockscope
