#include "core/import/model_file.h"

#include <cerrno>
#include <climits>
#include <cstdio>
#include <cstring>
#include <memory>

#include "core/import/onnx_reader.h"
#include "core/import/pt2_reader.h"

namespace blockscope::model {
namespace {

constexpr std::size_t kMostOnnxBytes = INT_MAX;  // what protobuf reads

using OpenFile = std::shared_ptr<std::FILE>;

Problem unreadable(const std::string& file) {
    const std::string why = std::strerror(errno);
    return Problem{{file, 0, 0, {}}, Text("the file cannot be read: %1", why)};
}

// An archive is read where it lies, as its weights may be larger than the memory.
Result<TensorGraph> read_archive(const OpenFile& stream, const std::string& file) {
    if (fseeko(stream.get(), 0, SEEK_END) != 0) return unreadable(file);
    const off_t size = ftello(stream.get());
    if (size < 0) return unreadable(file);
    const auto read = [stream](std::uint64_t offset, std::size_t count) {
        std::string bytes(count, '\0');
        if (fseeko(stream.get(), static_cast<off_t>(offset), SEEK_SET) != 0) return std::string();
        bytes.resize(std::fread(bytes.data(), 1, count, stream.get()));
        return bytes;
    };
    return read_pt2({.size = static_cast<std::uint64_t>(size), .read = read}, file);
}

// The rest of the file; of one that is too large only so much that this is known.
Result<TensorGraph> read_whole(const OpenFile& stream, std::string bytes, const std::string& file) {
    const off_t here = ftello(stream.get());
    if (here >= 0 && fseeko(stream.get(), 0, SEEK_END) == 0) {
        if (ftello(stream.get()) > static_cast<off_t>(kMostOnnxBytes))
            return Problem{{file, 0, 0, {}}, too_large()};
        if (fseeko(stream.get(), here, SEEK_SET) != 0) return unreadable(file);
    }
    std::string chunk(std::size_t{1} << 16U, '\0');
    while (const std::size_t count = std::fread(chunk.data(), 1, chunk.size(), stream.get())) {
        bytes.append(chunk, 0, count);
        if (bytes.size() > kMostOnnxBytes) return Problem{{file, 0, 0, {}}, too_large()};
    }
    if (std::ferror(stream.get()) != 0) return unreadable(file);
    return read_onnx(bytes, file);
}

}  // namespace

bool is_model_file(const std::string& file) {
    return file.ends_with(".onnx") || file.ends_with(".pt2");
}

Result<TensorGraph> read_model_file(const std::string& file) {
    const OpenFile stream(std::fopen(file.c_str(), "rb"), [](std::FILE* open) {
        if (open != nullptr) std::fclose(open);
    });
    if (!stream) return unreadable(file);
    std::string beginning(4, '\0');
    beginning.resize(std::fread(beginning.data(), 1, beginning.size(), stream.get()));
    if (std::ferror(stream.get()) != 0) return unreadable(file);
    return looks_like_pt2(beginning) ? read_archive(stream, file) : read_whole(stream, beginning, file);
}

}  // namespace blockscope::model
