// The rules of a map of words as bytes: for portable files (compiled.hpp).
#pragma once

#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "wordsplit/text/portable.hpp"
#include "wordsplit/text/word_map.hpp"

namespace wordsplit {

namespace portable {

// In this order, as the bits of a number.
inline constexpr bool WordRules::* kFlags[] = {
    &WordRules::has_signs,  &WordRules::contractions, &WordRules::ended,
    &WordRules::spaced,     &WordRules::drop_spaces,  &WordRules::collapse_spaces,
    &WordRules::prepend,    &WordRules::prepend_each, &WordRules::trim_left,
    &WordRules::trim_right, &WordRules::strip_right,  &WordRules::joined,
    &WordRules::summed,     &WordRules::longest_keys, &WordRules::normalizes,
};
static_assert(std::size(kFlags) == sizeof(WordFlags) + 1, "a flag is missing in the list");

inline void write(const NormalizerStep& step, Writer& out) {
  out.number(static_cast<std::size_t>(step.kind));
  const std::map sorted(step.characters.begin(), step.characters.end());
  out.number(sorted.size());
  for (const auto& [character, becomes] : sorted) {
    out.number(character);
    out.bytes(becomes);
  }
  out.bytes(step.pattern);
  out.bytes(step.content);
}

inline NormalizerStep read_step(Reader& in) {
  NormalizerStep out;
  const std::uint32_t kind = in.number();
  if (kind > static_cast<std::uint32_t>(NormalizerStep::Kind::Literal)) Reader::fail();
  out.kind = static_cast<NormalizerStep::Kind>(kind);
  for (std::uint32_t n = in.count(); n > 0; --n) {
    const std::uint32_t character = in.number();
    out.characters.emplace(character, in.text());
  }
  out.pattern = in.text();
  out.content = in.text();
  if (out.kind == NormalizerStep::Kind::Literal && out.pattern.empty()) Reader::fail();
  return out;
}

inline void write(const ClusterKeys& keys, Writer& out) {
  out.number(keys.map() != nullptr);
  if (!keys.map()) return;
  out.items(keys.map()->units());
  out.bytes(keys.map()->replacements());
  out.number(keys.spaces().size());
  for (const std::string& space : keys.spaces()) out.bytes(space);
}

inline ClusterKeys read_keys(Reader& in) {
  if (!in.flag()) return {};
  std::vector<std::uint32_t> units;
  in.items(units);
  if (units.empty()) Reader::fail();
  std::string replacements = in.bytes();
  std::vector<std::string> spaces;
  for (std::uint32_t n = in.count(); n > 0; --n) {
    spaces.push_back(in.bytes());
    if (spaces.back().empty()) Reader::fail();
  }
  return {CharacterTrie(std::move(units), std::move(replacements)), std::move(spaces)};
}

inline void write(const WordRules& rules, Writer& out) {
  std::uint32_t flags = 0;
  for (std::size_t i = 0; i < std::size(kFlags); ++i) flags |= std::uint32_t{rules.*kFlags[i]} << i;
  out.number(flags);
  out.items(rules.pages);
  out.items(rules.entries);
  out.bytes(rules.blob);
  write(rules.keys, out);
  out.items(rules.marks);
  out.items(rules.alone);
  out.number(rules.apart.size());
  for (const auto& [first, last] : rules.apart) {
    out.number(first);
    out.number(last);
  }
  out.number(rules.steps.size());
  for (const NormalizerStep& step : rules.steps) write(step, out);
  out.number(rules.behind != nullptr);
  if (rules.behind) write(rules.behind->rules(), out);
}

// `may_follow`: whether these may be after steps themselves, and not after others.
inline WordMap read_map(Reader& in, bool may_follow) {
  WordRules out;
  const std::uint32_t flags = in.number();
  if (flags >> std::size(kFlags)) Reader::fail();
  for (std::size_t i = 0; i < std::size(kFlags); ++i) out.*kFlags[i] = flags >> i & 1;
  in.items(out.pages);
  in.items(out.entries);
  out.blob = in.bytes();
  out.keys = read_keys(in);
  in.items(out.marks);
  in.items(out.alone);
  for (std::uint32_t n = in.count(); n > 0; --n) {
    const std::uint32_t first = in.number();
    out.apart.emplace_back(first, in.number());
  }
  for (std::uint32_t n = in.count(); n > 0; --n) out.steps.push_back(read_step(in));
  const std::uint32_t has_behind = in.number();
  if (has_behind > may_follow || (has_behind == 0 && !out.steps.empty())) Reader::fail();
  if (has_behind) out.behind = std::make_shared<const WordMap>(read_map(in, false));
  return WordMap(std::move(out));
}

}  // namespace portable

inline std::string write_word_map(const WordMap& map) {
  portable::Writer out;
  portable::write(map.rules(), out);
  return out.take();
}

// Reads what write_word_map() has written. Throws std::invalid_argument for anything else.
inline WordMap read_word_map(std::string_view bytes) {
  portable::Reader in(bytes);
  WordMap out = portable::read_map(in, true);
  in.finish();
  return out;
}

}  // namespace wordsplit
