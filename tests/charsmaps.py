"""Character maps as SentencePiece writes them, made from pairs."""

import base64
import struct

KEY_ENDS = 1 << 8
OFFSET = 10


def charsmap(pairs):
    """The base64 of a character map. Each node of its trie has a block of 256 units to itself."""
    trie = {}
    for key in pairs:
        node = trie
        for byte in key.encode() if isinstance(key, str) else key:
            node = node.setdefault(byte, {})
        node[0] = pairs[key]
    units, replacements = [0] * 512, bytearray()
    units[0] = 256 << OFFSET
    pending = [(trie, 256)]
    while pending:
        node, base = pending.pop()
        for byte, below in node.items():
            if byte == 0:
                units[base] = 1 << 31 | len(replacements)
                replacements += below.encode() + b"\0"
                continue
            at, child = base ^ byte, len(units)
            units += [0] * 256
            units[at] = byte | (KEY_ENDS if 0 in below else 0) | (at ^ child) << OFFSET
            pending.append((below, child))
    blob = struct.pack(f"<I{len(units)}I", 4 * len(units), *units) + bytes(replacements)
    return base64.b64encode(blob).decode()
