// Archives in zip format whose members are stored as they are: what PyTorch writes. Read where they lie, so
// that a member of a large file takes no more memory than its own bytes.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "core/support/result.h"

namespace blockscope::model {

// Bytes of a file or of memory. `read` gives `count` bytes from `offset` on, which are within the size, or
// fewer where reading fails.
struct ByteSource {
    std::uint64_t size = 0;
    std::function<std::string(std::uint64_t offset, std::size_t count)> read;
};
ByteSource bytes_of_memory(std::string bytes);

struct ZipMember {
    std::string name;
    std::uint64_t header = 0;  // where its header begins
    std::uint64_t end = 0;     // where what follows begins: its bytes end there or before
    std::uint64_t size = 0;
    std::uint64_t packed = 0;  // the bytes that it takes in the archive
    std::uint32_t checksum = 0;
    unsigned method = 0;  // 0: stored
    bool encrypted = false;
};

class StoredZip {
public:
    // Reads the directory. Refused with a sentence where it is cut short, or says what cannot be: members
    // outside of the file or across each other, two of one name.
    static Result<StoredZip> open(ByteSource source, const std::string& file);

    const std::vector<ZipMember>& members() const { return members_; }  // by name
    const ZipMember* find(const std::string& name) const;
    // The bytes of a member that is stored, at most `most` of them, after its checksum.
    Result<std::string> read(const ZipMember& member, std::uint64_t most) const;

private:
    StoredZip(ByteSource source, std::string file) : source_(std::move(source)), file_(std::move(file)) {}
    friend class ZipDirectory;

    ByteSource source_;
    std::string file_;
    std::uint64_t directory_ = 0;  // where it begins: the end of all members
    std::vector<ZipMember> members_;
};

std::uint32_t zip_checksum(const std::string& bytes);
// A member's name for a sentence: short and in printable ASCII.
std::string shown_name(const std::string& name);

}  // namespace blockscope::model
