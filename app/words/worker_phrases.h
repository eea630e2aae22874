// What workers say of measurements and compilers that failed, as phrases (words.h).
#pragma once

#include "app/words/words.h"

namespace blockscope {

const std::vector<Phrase>& worker_sentences();
const std::vector<Phrase>& worker_parts();  // what can stand in a place of these

}  // namespace blockscope
