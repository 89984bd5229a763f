// A file of a vocab's tables, to be mapped and used in place.
//
//     header     magic, version, byte order, build, size of the file, number of parts
//     parts      offset and size of each
//     ...        the parts, each at a multiple of 64 bytes, with zeros between
//     checksum   of all before it
//
// The first parts are the caller's (a description of the vocab, its merges, its added tokens), the
// others those of VocabTables. The tables are stored as they are in memory, so only the build that
// wrote a file can read it, or, for a portable file, any with the same tables: they consist of
// words of 32 and 64 bits, and neither sizes nor hashes depend on the machine, except for its byte
// order. A checksum detects damage, but not forgery: every table is checked so that no file,
// whoever made it, can make a look-up leave the tables.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "wordsplit/base/checksum.hpp"
#include "wordsplit/tables/added_list.hpp"
#include "wordsplit/tables/vocab_tables.hpp"

namespace wordsplit {

namespace compiled_detail {

inline constexpr char kMagic[8] = {'w', 's', 'v', 'o', 'c', 'a', 'b', '\n'};
inline constexpr std::uint32_t kVersion = 2, kOrder = 0x01020304;
inline constexpr std::size_t kMostParts = 64, kAlign = 64;

struct Header {
  char magic[8];
  std::uint32_t version, order;
  std::uint64_t build, size, parts;
};

struct Part {
  std::uint64_t offset, size;
};

inline std::size_t aligned(std::size_t at) { return (at + kAlign - 1) / kAlign * kAlign; }

}  // namespace compiled_detail

// The build of portable files, which every build reads and writes, and WebAssembly too. To be
// raised whenever the content of the tables changes, which a test notices.
inline constexpr std::uint64_t kPortableBuild = 4;

using Bytes = std::span<const std::byte>;

// The content of a file: views of its memory.
struct Compiled {
  Bytes description, merges;
  AddedList added;
  std::unique_ptr<VocabTables> tables;
};

// Returns the bytes of a file. `build` differs between builds whose tables may differ.
inline std::string write_compiled(Bytes description, Bytes merges, const AddedList& added,
                                  const VocabTables& tables, std::uint64_t build) {
  using namespace compiled_detail;
  const std::vector<std::uint32_t> order = added.find_order();
  std::vector<Bytes> parts = {description,
                              merges,
                              std::as_bytes(std::span(added.blob)),
                              std::as_bytes(added.ends),
                              std::as_bytes(added.ids),
                              std::as_bytes(added.flags),
                              std::as_bytes(std::span(order))};
  tables.write_parts(
      [&](const std::byte* data, std::size_t size) { parts.emplace_back(data, size); });
  Header header{{}, kVersion, kOrder, build, 0, parts.size()};
  std::memcpy(header.magic, kMagic, sizeof kMagic);
  std::vector<Part> places;
  std::size_t at = sizeof header + parts.size() * sizeof(Part);
  for (const Bytes part : parts) {
    at = aligned(at);
    places.push_back({at, part.size()});
    at += part.size();
  }
  at = aligned(at);
  header.size = at + sizeof(std::uint64_t);
  std::string out(header.size, '\0');
  std::memcpy(out.data(), &header, sizeof header);
  std::memcpy(out.data() + sizeof header, places.data(), places.size() * sizeof(Part));
  for (std::size_t i = 0; i < parts.size(); ++i) {
    if (!parts[i].empty()) {
      std::memcpy(out.data() + places[i].offset, parts[i].data(), parts[i].size());
    }
  }
  const std::uint64_t sum = checksum(out.data(), at);
  std::memcpy(out.data() + at, &sum, sizeof sum);
  return out;
}

// Reads what write_compiled() has written. Nothing is trusted before the checksum is verified.
// Throws std::invalid_argument with a message that says what is wrong. Preconditions: `data` is
// aligned to 64 bytes and outlives the tables.
inline Compiled read_compiled(Bytes data, std::uint64_t build) {
  using namespace compiled_detail;
  const auto require = [](bool sound, const char* problem) {
    if (!sound) throw std::invalid_argument(problem);
  };
  Header header;
  require(data.size() >= sizeof header + sizeof(std::uint64_t), "is cut short");
  std::memcpy(&header, data.data(), sizeof header);
  require(std::memcmp(header.magic, kMagic, sizeof kMagic) == 0, "is not a compiled vocab");
  require(header.order == kOrder, "has another byte order");
  require(header.version == kVersion && header.build == build, "is of another build");
  require(header.size == data.size(), "is not of the size in its header");
  const std::size_t end = data.size() - sizeof(std::uint64_t);
  std::uint64_t sum;
  std::memcpy(&sum, data.data() + end, sizeof sum);
  require(sum == checksum(data.data(), end), "is damaged: its checksum does not match");
  require(header.parts <= kMostParts && sizeof header + header.parts * sizeof(Part) <= end,
          "has too many parts");
  std::size_t next = 0;
  const auto take = [&]() -> Bytes {
    require(next < header.parts, "has too few parts");
    Part part;
    std::memcpy(&part, data.data() + sizeof header + next++ * sizeof part, sizeof part);
    require(part.offset % kAlign == 0 && part.offset <= end && part.size <= end - part.offset,
            "has a part outside the file");
    return data.subspan(part.offset, part.size);
  };
  Compiled out;
  out.description = take();
  out.merges = take();
  const auto words = [&] {
    const Bytes part = take();
    require(part.size() % sizeof(std::uint32_t) == 0, "has a part of the wrong size");
    return std::span(reinterpret_cast<const std::uint32_t*>(part.data()),
                     part.size() / sizeof(std::uint32_t));
  };
  const Bytes contents = take();
  out.added.blob = {reinterpret_cast<const char*>(contents.data()), contents.size()};
  out.added.ends = words();
  out.added.ids = words();
  const Bytes flags = take();
  out.added.flags = {reinterpret_cast<const std::uint8_t*>(flags.data()), flags.size()};
  out.added.order = words();
  require(out.added.is_sound() && out.added.is_utf8() && out.added.is_in_order(),
          "has added tokens that do not fit");
  out.tables = VocabTables::adopt(take);
  require(next == header.parts, "has too many parts");
  const VocabTables& tables = *out.tables;
  require(out.merges.size() == 2 * sizeof(std::uint32_t) * tables.merge_count(),
          "has another number of merges than its tables");
  const auto* ids = reinterpret_cast<const std::uint32_t*>(out.merges.data());
  require(std::all_of(ids, ids + 2 * tables.merge_count(),
                      [&](std::uint32_t id) { return tables.index_of(id) < tables.count(); }),
          "has a merge of an unknown token");
  return out;
}

}  // namespace wordsplit
