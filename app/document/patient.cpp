#include "app/document/patient.h"

#ifdef __linux__
#include <sys/resource.h>
#include <unistd.h>
#endif

namespace blockscope {

void be_patient() {
#ifdef __linux__
    constexpr int kNice = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);  // of this thread alone
#endif
}

}  // namespace blockscope
