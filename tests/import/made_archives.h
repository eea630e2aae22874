// Zip archives and exported programs that are put together here, rightly or not.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace blockscope::test {

struct MadeMember {
    std::string name;
    std::string bytes;
    // What the directory says instead of the truth.
    std::optional<std::uint32_t> checksum = {};
    std::optional<std::uint32_t> size = {};
    std::optional<std::uint32_t> place = {};
    std::uint16_t method = 0;
    std::uint16_t flags = 0;
    std::string extra = {};
};

// Little-endian, in `count` bytes.
std::string little_endian(std::uint64_t value, int count);

// `behind` is what follows the last member: bytes that no member has.
std::string zip_of(const std::vector<MadeMember>& members, std::optional<std::uint16_t> count = {},
                   const std::string& behind = {});

// The archive of an exported program.
std::string archive_of(const std::string& document);

// A program of the inputs x and w, a parameter, both [4, 4], and the nodes in `nodes`, JSON with commas
// between them. Every name of `tensors` is one of [4, 4], too.
std::string program_with(const std::string& nodes, const std::string& output = "y",
                         const std::vector<std::string>& tensors = {"x", "p_w", "y"});
// A node that makes `output`, its arguments in JSON.
std::string node_of(const std::string& target, const std::string& arguments, const std::string& output = "y");
// An argument in JSON: `kind` and the value for it.
std::string argument_of(const std::string& name, const std::string& kind, const std::string& value);
std::string tensor_of(const std::string& argument, const std::string& tensor);

}  // namespace blockscope::test
