// The usual pieces at the beginning of a SentencePiece file: bind_pieces() says which these are.
// src/wordsplit/vocabs/formats/sentencepiece/model_proto.py reads the others.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "module.hpp"

namespace nb = nanobind;

namespace {

// The first bytes of fields: number and wire type.
constexpr std::uint8_t kPieces = 1 << 3 | 2, kText = 1 << 3 | 2, kScore = 2 << 3 | 5,
                       kType = 3 << 3;
constexpr std::uint8_t kNormal = 1, kLastType = 6;
constexpr std::size_t kScoreSize = 1 + sizeof(float), kTypeSize = 2;

struct Piece {
  std::string_view text;
  float score;
  std::uint8_t type;
  std::size_t size;  // of the message and what precedes it
};

// Reads the usual piece at the beginning of the data. False if there is none.
bool read_piece(std::string_view data, Piece& piece) {
  const auto byte = [&](std::size_t at) { return static_cast<std::uint8_t>(data[at]); };
  if (data.size() < 4 || byte(0) != kPieces || byte(1) >= 0x80 || byte(2) != kText) return false;
  const std::size_t size = 2 + std::size_t{byte(1)}, text_end = 4 + std::size_t{byte(3)};
  const bool has_type = size == text_end + kScoreSize + kTypeSize;
  if (size > data.size() || !(has_type || size == text_end + kScoreSize)) return false;
  const std::size_t type_at = text_end + kScoreSize;
  if (byte(text_end) != kScore || (has_type && byte(type_at) != kType)) return false;
  std::uint32_t bits = 0;
  for (std::size_t i = 0; i < sizeof bits; ++i) {
    bits |= std::uint32_t{byte(text_end + 1 + i)} << 8 * i;
  }
  std::memcpy(&piece.score, &bits, sizeof bits);
  piece.text = data.substr(4, text_end - 4);
  piece.type = has_type ? byte(type_at + 1) : kNormal;
  piece.size = size;
  return std::isfinite(piece.score) && kNormal <= piece.type && piece.type <= kLastType;
}

using Pieces =
    nb::typed<nb::tuple, nb::typed<nb::list, nb::str>, nb::bytes, nb::bytes, std::size_t>;

Pieces usual_pieces(const nb::bytes& data) {
  const std::string_view all(data.c_str(), data.size());
  nb::list texts;
  std::vector<float> scores;
  std::vector<std::uint8_t> types;
  std::size_t at = 0;
  for (Piece piece; read_piece(all.substr(at), piece); at += piece.size) {
    nb::object text = nb::steal(PyUnicode_DecodeUTF8(
        piece.text.data(), static_cast<Py_ssize_t>(piece.text.size()), nullptr));
    if (!text.is_valid()) {
      if (!PyErr_ExceptionMatches(PyExc_UnicodeDecodeError)) nb::raise_python_error();
      PyErr_Clear();
      break;
    }
    texts.append(text);
    scores.push_back(piece.score);
    types.push_back(piece.type);
  }
  return Pieces(nb::make_tuple(texts, nb::bytes(scores.data(), scores.size() * sizeof(float)),
                               nb::bytes(types.data(), types.size()), at));
}

}  // namespace

void bind_pieces(nb::module_& m) {
  m.def("usual_pieces", &usual_pieces, nb::arg("data"),
        "The texts, scores (32 bits) and types of the pieces at the beginning of a SentencePiece "
        "file that are as usual, and where they end. Such a piece has less than 128 bytes: a text, "
        "a finite score, and a type unless it is 1, in this order.");
}
