#include "tests/import/made_archives.h"

#include "core/import/stored_zip.h"

namespace blockscope::test {

std::string little_endian(std::uint64_t value, int count) {
    std::string bytes;
    for (int i = 0; i < count; ++i, value >>= 8U) bytes += static_cast<char>(value & 0xFFU);
    return bytes;
}

std::string zip_of(const std::vector<MadeMember>& members, std::optional<std::uint16_t> count,
                   const std::string& behind) {
    std::string file;
    std::string directory;
    for (const MadeMember& member : members) {
        const std::uint64_t place = member.place.value_or(static_cast<std::uint32_t>(file.size()));
        const std::string numbers =
            little_endian(member.checksum.value_or(model::zip_checksum(member.bytes)), 4) +
            little_endian(member.size.value_or(member.bytes.size()), 4) +
            little_endian(member.size.value_or(member.bytes.size()), 4);
        const std::string shared = little_endian(member.flags, 2) + little_endian(member.method, 2) +
                                   little_endian(0, 4) + numbers + little_endian(member.name.size(), 2);
        file +=
            "PK\x03\x04" + little_endian(20, 2) + shared + little_endian(0, 2) + member.name + member.bytes;
        directory += "PK\x01\x02" + little_endian(20, 2) + little_endian(20, 2) + shared +
                     little_endian(member.extra.size(), 2) + little_endian(0, 10) + little_endian(place, 4) +
                     member.name + member.extra;
    }
    file += behind;
    const std::uint64_t number = count.value_or(static_cast<std::uint16_t>(members.size()));
    return file + directory + "PK\x05\x06" + little_endian(0, 4) + little_endian(number, 2) +
           little_endian(number, 2) + little_endian(directory.size(), 4) + little_endian(file.size(), 4) +
           little_endian(0, 2);
}

std::string archive_of(const std::string& document) {
    return zip_of(
        {{.name = "m/archive_format", .bytes = "pt2"}, {.name = "m/models/model.json", .bytes = document}});
}

std::string program_with(const std::string& nodes, const std::string& output,
                         const std::vector<std::string>& tensors) {
    std::string values;
    for (const std::string& name : tensors)
        values += (values.empty() ? "\"" : ", \"") + name +
                  R"(": {"dtype": 7, "sizes": [{"as_int": 4}, {"as_int": 4}]})";
    return R"({"schema_version": {"major": 8, "minor": 1}, "torch_version": "2.9.0", "graph_module": {"graph": {)"
           R"("inputs": [{"as_tensor": {"name": "p_w"}}, {"as_tensor": {"name": "x"}}], "nodes": [)" +
           nodes + R"(], "outputs": [{"as_tensor": {"name": ")" + output + R"("}}], "tensor_values": {)" +
           values +
           R"(}, "sym_int_values": {}}, "signature": {"input_specs": [{"parameter": {"arg": {"name": "p_w"}, )"
           R"("parameter_name": "w"}}, {"user_input": {"arg": {"as_tensor": {"name": "x"}}}}], "output_specs": )"
           R"([{"user_output": {"arg": {"as_tensor": {"name": ")" +
           output + R"("}}}}]}}})";
}

std::string argument_of(const std::string& name, const std::string& kind, const std::string& value) {
    return R"({"name": ")" + name + R"(", "arg": {")" + kind + "\": " + value + "}}";
}

std::string tensor_of(const std::string& argument, const std::string& tensor) {
    return argument_of(argument, "as_tensor", R"({"name": ")" + tensor + R"("})");
}

std::string node_of(const std::string& target, const std::string& arguments, const std::string& output) {
    return R"({"target": "torch.ops.aten.)" + target + R"(", "inputs": [)" + arguments +
           R"(], "outputs": [{"as_tensor": {"name": ")" + output + R"("}}], "metadata": {}})";
}

}  // namespace blockscope::test
