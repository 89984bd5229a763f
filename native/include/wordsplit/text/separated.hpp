// Divides text into documents at a separator.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

namespace wordsplit {

// Calls document(begin, size) for each document of text[0, n), in order, without its separator.
// Behind the last separator there is a document only if it is not empty. If the separator is a line
// feed, a carriage return before it does not belong to the document.
template <class Document>
void split_documents(const char* text, std::size_t n, std::string_view separator,
                     Document&& document) {
  const char *p = text, *const end = text + n;
  const bool lines = separator == "\n";
  while (p < end) {
    const auto rest = static_cast<std::size_t>(end - p);
    const char* stop = end;
    if (lines) {
      if (const void* found = std::memchr(p, '\n', rest)) stop = static_cast<const char*>(found);
    } else {
      const std::size_t at = std::string_view(p, rest).find(separator);
      if (at != std::string_view::npos) stop = p + at;
    }
    const char* const last = lines && stop > p && stop[-1] == '\r' ? stop - 1 : stop;
    document(p, static_cast<std::size_t>(last - p));
    if (stop == end) break;
    p = stop + separator.size();
  }
}

}  // namespace wordsplit
