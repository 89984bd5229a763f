// The reader of compiled files, on damaged and forged files.
//
// Some bytes of a file of a random vocab are changed. Either its checksum is left as it was, and
// the file must be refused if anything changed; or the checksum is corrected, and the file must be
// refused or give tables whose look-ups stay within it. The input itself is tried as a file as
// well. If a file is accepted, its tables encode a text with every encoder.
#include "../tests/support.hpp"
#include "wordsplit/tables/compiled.hpp"

namespace {

using namespace wordsplit;

constexpr std::uint64_t kBuild = 7;

// Memory of exactly the file's size, aligned as a mapping is.
struct Mapped {
  explicit Mapped(const std::string& file) : size(file.size()) {
    if (posix_memalign(&data, 64, size) != 0) std::abort();
    if (size) std::memcpy(data, file.data(), size);
  }
  ~Mapped() { std::free(data); }
  Bytes bytes() const { return {static_cast<const std::byte*>(data), size}; }
  void* data;
  std::size_t size;
};

Bytes view(const std::string& text) { return std::as_bytes(std::span(text.data(), text.size())); }

// Encodes a text as one span; each id must be known.
void encode(const VocabTables& tables, const std::string& text, const Encoder& encoder) {
  if (!encoder.obstacle(tables).empty()) return;
  SpanEncoderConfig config;
  config.encoder = config.long_encoder = &encoder;
  Scratch scratch;
  std::vector<std::uint32_t> ids(text.size());
  const auto* p = reinterpret_cast<const std::uint8_t*>(text.data());
  try {
    ids.resize(SpanEncoder(tables, config).encode(p, text.size(), scratch, ids.data()));
  } catch (const MissingByte&) {
    return;
  }
  std::size_t bytes = 0;
  for (const std::uint32_t id : ids) {
    if (tables.index_of(id) == tables.count()) support::fail("an id that no token has", text);
    bytes += tables.bytes_at(tables.index_of(id)).size();
  }
  if (bytes != text.size()) support::fail("ids of another text", text);
}

bool try_file(const std::string& file, const support::TestVocab& vocab) {
  const Mapped mapped(file);
  try {
    const Compiled found = read_compiled(mapped.bytes(), kBuild);
    const VocabTables& tables = *found.tables;
    std::size_t sum = found.description.size() + found.merges.size();
    for (std::size_t i = 0; i < tables.count(); ++i) {
      for (const char c : tables.bytes_at(i)) sum += static_cast<unsigned char>(c);
      sum += tables.index_of(tables.id_at(i)) + tables.made_by(tables.id_at(i)).left;
    }
    for (const std::string& token : vocab.tokens) {
      const auto* p = reinterpret_cast<const std::uint8_t*>(token.data());
      tables.prefetch(SpanKey::of(p, token.size()));
      sum += tables.find(p, token.size()) + tables.find_live(p, token.size());
    }
    for (std::size_t i = 0; i + 1 < vocab.ids.size(); ++i) {
      sum += tables.pairs().find(vocab.ids[i], vocab.ids[i + 1]).rank;
      sum += tables.byte_pair(static_cast<std::uint8_t>(i), static_cast<std::uint8_t>(sum)).rank;
    }
    std::string text;
    for (const std::string& token : vocab.tokens) text += token;
    for (const Encoder& encoder : encoders()) {
      if (!text.empty()) encode(tables, text, encoder);
    }
    volatile std::size_t used = sum;
    (void)used;
    return true;
  } catch (const std::invalid_argument&) {
    return false;
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string input(reinterpret_cast<const char*>(data), size);
  support::Choices choices{data, size};
  const support::TestVocab vocab = support::make_vocab(choices);
  if (try_file(input, vocab)) support::fail("bytes taken for a file", input);
  const std::string flat(reinterpret_cast<const char*>(vocab.merges.data()),
                         4 * vocab.merges.size());
  const std::uint32_t ends[] = {2, 3}, ids[] = {7, 1 << 20};
  const std::uint8_t flags[] = {AddedList::kSpecial, 0};
  const AddedList added{"b|a", ends, ids, flags, {}};
  const std::string sound = write_compiled(view("{}"), view(flat), added, *vocab.tables, kBuild);
  if (!try_file(sound, vocab)) support::fail("a sound file refused", input);
  std::string file = sound;
  const std::uint32_t changes = 1 + choices.below(8);
  for (std::uint32_t i = 0; i < changes; ++i) {
    // Half of the changes are in the header or the list of parts.
    const auto top = static_cast<std::uint32_t>(choices.below(2) ? file.size() : 256);
    file[choices.below(top)] ^= static_cast<char>(choices.below(256));
  }
  if (choices.below(4) == 0) file.resize(choices.below(static_cast<std::uint32_t>(file.size())));
  const bool right_sum = choices.below(2) && file.size() >= 8;
  if (right_sum) {
    const std::uint64_t sum = checksum(file.data(), file.size() - 8);
    std::memcpy(file.data() + file.size() - 8, &sum, 8);
  }
  if (try_file(file, vocab) && !right_sum && file != sound) support::fail("damage unseen", input);
  return 0;
}
