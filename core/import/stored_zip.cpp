#include "core/import/stored_zip.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

namespace blockscope::model {
namespace {

// Signatures of the parts, as they stand in the file.
const std::string kLocalMark = "PK\x03\x04";
const std::string kMemberMark = "PK\x01\x02";
const std::string kEndMark = "PK\x05\x06";
const std::string kLargeEndMark = "PK\x06\x06";
const std::string kLargeLocatorMark = "PK\x06\x07";

constexpr std::uint64_t kLocalBytes = 30;
constexpr std::uint64_t kMemberBytes = 46;
constexpr std::uint64_t kEndBytes = 22;
constexpr std::uint64_t kLargeEndBytes = 56;
constexpr std::uint64_t kLargeLocatorBytes = 20;
constexpr std::uint64_t kMostDirectoryBytes = std::uint64_t{256} << 20U;
constexpr std::uint64_t kIn64Bits = 0xFFFFFFFFU;  // a size or a place that stands elsewhere

// `count` bytes at `at` as a number, little-endian.
std::uint64_t little(const std::string& bytes, std::size_t at, std::size_t count) {
    std::uint64_t value = 0;
    for (std::size_t i = count; i-- > 0;) value = value << 8U | static_cast<unsigned char>(bytes[at + i]);
    return value;
}

bool marked(const std::string& bytes, std::size_t at, const std::string& mark) {
    return bytes.compare(at, mark.size(), mark) == 0;
}

const std::array<std::uint32_t, 256>& checksum_table() {
    static const std::array<std::uint32_t, 256> table = [] {
        std::array<std::uint32_t, 256> rows{};
        for (std::uint32_t i = 0; i < 256; ++i) {
            std::uint32_t value = i;
            for (int bit = 0; bit < 8; ++bit)
                value = (value & 1U) != 0 ? 0xEDB88320U ^ value >> 1U : value >> 1U;
            rows[i] = value;
        }
        return rows;
    }();
    return table;
}

}  // namespace

std::uint32_t zip_checksum(const std::string& bytes) {
    std::uint32_t value = 0xFFFFFFFFU;
    for (const char c : bytes)
        value = checksum_table()[(value ^ static_cast<unsigned char>(c)) & 0xFFU] ^ value >> 8U;
    return ~value;
}

std::string shown_name(const std::string& name) {
    std::string text;
    constexpr std::size_t most = 80;
    for (const char c : name.substr(0, most)) text += c < ' ' || c > '~' ? '?' : c;
    return name.size() > most ? text + "..." : text;
}

ByteSource bytes_of_memory(std::string bytes) {
    const auto all = std::make_shared<const std::string>(std::move(bytes));
    return {.size = all->size(), .read = [all](std::uint64_t offset, std::size_t count) {
                return all->substr(static_cast<std::size_t>(offset), count);
            }};
}

// The directory at the end of an archive. Throws a Problem.
class ZipDirectory {
public:
    explicit ZipDirectory(StoredZip& zip) : zip_(zip) {}

    void run() {
        find_end();
        const std::uint64_t end = end_;
        if (zip_.directory_ > end || bytes_ > end - zip_.directory_)
            fail(Text(
                "found a zip directory of %1 bytes from byte %2 on, where the file has %3; it is cut short "
                "or damaged",
                bytes_, zip_.directory_ + 1, end));
        if (bytes_ > kMostDirectoryBytes)
            fail(Text("found a zip directory of %1 bytes; expected at most %2", bytes_, kMostDirectoryBytes));
        const std::string directory = read(zip_.directory_, bytes_);
        for (std::size_t at = 0; at < directory.size();) at = member(directory, at);
        if (zip_.members_.size() != count_)
            fail(Text("found a zip directory of %1 members that says it has %2", zip_.members_.size(),
                      count_));
        check_places();
        check_names();
    }

private:
    [[noreturn]] void fail(Text message) const { throw Problem{{zip_.file_, 0, 0, {}}, std::move(message)}; }

    std::string read(std::uint64_t offset, std::uint64_t count) const {
        std::string bytes = zip_.source_.read(offset, static_cast<std::size_t>(count));
        if (bytes.size() != count) fail(Text("the bytes from %1 on cannot be read", offset + 1));
        return bytes;
    }

    void find_end() {
        const std::uint64_t size = zip_.source_.size;
        const std::uint64_t most = std::min<std::uint64_t>(size, kEndBytes + 0xFFFF);
        const std::string tail = read(size - most, most);
        for (std::size_t at = tail.size() < kEndBytes ? 0 : tail.size() - kEndBytes + 1; at-- > 0;) {
            if (!marked(tail, at, kEndMark) || at + kEndBytes + little(tail, at + 20, 2) != tail.size())
                continue;
            end_ = size - most + at;
            count_ = little(tail, at + 10, 2);
            bytes_ = little(tail, at + 12, 4);
            zip_.directory_ = little(tail, at + 16, 4);
            find_large_end();
            return;
        }
        fail(Text("found no directory at the end of the zip archive; the file is cut short or damaged"));
    }

    // Archives that are large, or that were written as if, have their true numbers in front.
    void find_large_end() {
        if (end_ < kLargeLocatorBytes) return;
        const std::string locator = read(end_ - kLargeLocatorBytes, kLargeLocatorBytes);
        if (!marked(locator, 0, kLargeLocatorMark)) return;
        const std::uint64_t at = little(locator, 8, 8);
        const std::uint64_t last = end_ - kLargeLocatorBytes;
        if (last < kLargeEndBytes || at > last - kLargeEndBytes)
            fail(Text("found a zip64 directory at byte %1, outside of the file", at));
        const std::string large = read(at, kLargeEndBytes);
        if (!marked(large, 0, kLargeEndMark))
            fail(Text("byte %1: found no end of a zip64 directory; the file is damaged", at + 1));
        count_ = little(large, 32, 8);
        bytes_ = little(large, 40, 8);
        zip_.directory_ = little(large, 48, 8);
        end_ = at;
    }

    std::size_t member(const std::string& directory, std::size_t at) {
        const auto damaged = [&] {
            fail(Text("byte %1: found no member of a zip directory; the file is cut short or damaged",
                      zip_.directory_ + at + 1));
        };
        if (directory.size() - at < kMemberBytes || !marked(directory, at, kMemberMark)) damaged();
        const std::size_t name_bytes = little(directory, at + 28, 2);
        const std::size_t extra_bytes = little(directory, at + 30, 2);
        const std::size_t comment_bytes = little(directory, at + 32, 2);
        const std::size_t whole = kMemberBytes + name_bytes + extra_bytes + comment_bytes;
        if (directory.size() - at < whole) damaged();
        ZipMember member{.name = directory.substr(at + kMemberBytes, name_bytes),
                         .header = little(directory, at + 42, 4),
                         .end = 0,
                         .size = little(directory, at + 24, 4),
                         .packed = little(directory, at + 20, 4),
                         .checksum = static_cast<std::uint32_t>(little(directory, at + 16, 4)),
                         .method = static_cast<unsigned>(little(directory, at + 10, 2)),
                         .encrypted = (little(directory, at + 8, 2) & 1U) != 0};
        large_numbers(member, directory.substr(at + kMemberBytes + name_bytes, extra_bytes));
        zip_.members_.push_back(std::move(member));
        return at + whole;
    }

    // Numbers of more than 32 bits stand in an extra field, in this order, if they do.
    void large_numbers(ZipMember& member, const std::string& extra) const {
        for (std::size_t at = 0; at + 4 <= extra.size();) {
            const std::size_t length = little(extra, at + 2, 2);
            if (length > extra.size() - at - 4) break;
            if (little(extra, at, 2) == 1) {
                std::size_t next = at + 4;
                for (std::uint64_t* number : {&member.size, &member.packed, &member.header}) {
                    if (*number != kIn64Bits) continue;
                    if (next + 8 > at + 4 + length)
                        fail(Text("found the member %1 of the zip archive without its size in 64 bits",
                                  shown_name(member.name)));
                    *number = little(extra, next, 8);
                    next += 8;
                }
            }
            at += 4 + length;
        }
    }

    // Every member has its place before the directory, and no other one has it.
    void check_places() {
        std::vector<ZipMember*> order;
        for (ZipMember& member : zip_.members_) order.push_back(&member);
        std::sort(order.begin(), order.end(),
                  [](const ZipMember* a, const ZipMember* b) { return a->header < b->header; });
        for (std::size_t i = 0; i < order.size(); ++i) {
            ZipMember& member = *order[i];
            const std::uint64_t end = i + 1 < order.size() ? order[i + 1]->header : zip_.directory_;
            const std::uint64_t least = kLocalBytes + member.name.size();
            if (end > zip_.directory_ || member.header > end || end - member.header < least ||
                member.packed > end - member.header - least)
                fail(
                    Text("found the member %1 of the zip archive with %2 bytes from byte %3 on, where what "
                         "follows "
                         "begins at byte %4",
                         shown_name(member.name), member.packed, member.header + 1, end + 1));
            member.end = end;
        }
    }

    void check_names() {
        std::sort(zip_.members_.begin(), zip_.members_.end(),
                  [](const ZipMember& a, const ZipMember& b) { return a.name < b.name; });
        for (std::size_t i = 1; i < zip_.members_.size(); ++i)
            if (zip_.members_[i].name == zip_.members_[i - 1].name)
                fail(Text("found two members %1 in the zip archive; expected one",
                          shown_name(zip_.members_[i].name)));
    }

    StoredZip& zip_;
    std::uint64_t end_ = 0;  // where the records behind the directory begin
    std::uint64_t count_ = 0;
    std::uint64_t bytes_ = 0;
};

Result<StoredZip> StoredZip::open(ByteSource source, const std::string& file) {
    StoredZip zip(std::move(source), file);
    try {
        ZipDirectory(zip).run();
    } catch (Problem& thrown) {
        return std::move(thrown);
    }
    return zip;
}

const ZipMember* StoredZip::find(const std::string& name) const {
    const auto found = std::lower_bound(members_.begin(), members_.end(), name,
                                        [](const ZipMember& a, const std::string& b) { return a.name < b; });
    return found != members_.end() && found->name == name ? &*found : nullptr;
}

Result<std::string> StoredZip::read(const ZipMember& member, std::uint64_t most) const {
    const std::string name = shown_name(member.name);
    const auto problem = [&](Text message) { return Problem{{file_, 0, 0, {}}, std::move(message)}; };
    if (member.encrypted) return problem(Text("found the member %1 encrypted; expected its bytes", name));
    if (member.method != 0)
        return problem(Text(
            "found the member %1 compressed (method %2 of the zip format); expected it stored, as PyTorch "
            "writes it: unpack the archive and pack it without compression (zip -0)",
            name, member.method));
    if (member.size != member.packed)
        return problem(Text("found the member %1 stored in %2 bytes, but with a size of %3", name,
                            member.packed, member.size));
    if (member.size > most)
        return problem(
            Text("found the member %1 with %2 bytes; expected at most %3", name, member.size, most));
    const std::string header = source_.read(member.header, kLocalBytes);
    if (header.size() != kLocalBytes || !marked(header, 0, kLocalMark))
        return problem(Text("byte %1: found no header of the member %2; the file is cut short or damaged",
                            member.header + 1, name));
    const std::uint64_t start = member.header + kLocalBytes + little(header, 26, 2) + little(header, 28, 2);
    if (start > member.end || member.size > member.end - start)
        return problem(Text("found the member %1 with %2 bytes from byte %3 on, where %4 are left", name,
                            member.size, start + 1, member.end - std::min(start, member.end)));
    std::string bytes = source_.read(start, static_cast<std::size_t>(member.size));
    if (bytes.size() != member.size) return problem(Text("the bytes from %1 on cannot be read", start + 1));
    if (zip_checksum(bytes) != member.checksum)
        return problem(
            Text("found the member %1 with other bytes than its checksum says; the file is damaged", name));
    return bytes;
}

}  // namespace blockscope::model
