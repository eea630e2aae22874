// Files that are written as a whole or not at all.
#pragma once

#include <filesystem>
#include <string>

namespace blockscope {

// Writes `bytes` beside `file` and moves them into its place, with the rights of the file that was there: a
// full disk or a crash leaves that one as it was. Links are followed. What is no regular file, such as a
// pipe, is written as it stands, and so is a file in a folder that takes no new ones. Returns what went wrong
// ("No space left on device"), or nothing.
std::string write_whole_file(const std::filesystem::path& file, const std::string& bytes);

}  // namespace blockscope
