"""What `Tokenizer` does for readers, and for chats: thin methods over the files beside this one."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal, overload

from wordsplit.everyday.text_methods import Special
from wordsplit.text import Text

if TYPE_CHECKING:
    from wordsplit.engine import Engine
    from wordsplit.everyday.chat import Chat, MaskedChat, Untrusted
    from wordsplit.everyday.explain import Explanation
    from wordsplit.everyday.show import Shown

__all__ = ["ViewMethods"]


class ViewMethods:
    """The methods of `Tokenizer` that show what it does, and those for chats."""

    if TYPE_CHECKING:  # what Tokenizer has
        _engine: Engine
        encode: Callable[..., list[int]]
        _checked: Callable[[Text, Special], str | bytes]
        _as_text: Callable[[Special], Collection[str]]

    def explain(self, text: Text, special: Special = "parse", *, max_span: int = 256) -> Explanation:
        """How a text comes to its ids, as a textbook works it out: spans, and in each every merge.

        Print it, look at it in a notebook, or take `Explanation.html` or `Explanation.to_dict`. A vocab of mergeable
        ranks is explained by its `Vocab.merges`.

        Args:
            text: As for `encode`.
            special: As for `encode`.
            max_span: How many bytes of a span are worked out; longer ones only have their ids. (The work, and the
                room to show it, grow with its square.)

        Raises:
            OptionsError: ``max_span`` is no number of bytes.

        Example:
            >>> import wordsplit
            >>> print(wordsplit.load_tokenizer("qwen3").explain(" is<|im_end|>"))
            qwen3: 13 bytes, 2 spans, 2 ids
            <BLANKLINE>
            "␣is"
              pass 1   ␣ i s   ␣+i 344   i+s 29 <-
              pass 2   ␣ is   ␣+is 118 <-
              ids      ␣is 374
            <BLANKLINE>
            "<|im_end|>"
              an added token, found as a literal before anything else
              ids      <|im_end|> 151645
        """
        from wordsplit.everyday.budgets import size_of  # noqa: PLC0415 - all of these when first used
        from wordsplit.everyday.explain import explain  # noqa: PLC0415

        most = size_of("max_span", max_span)
        return explain(self._engine, self._checked(text, special), self._as_text(special), most)

    def show(self, text: Text, special: Special = "parse") -> Shown:
        """A text coloured by token, with the ids under it: in notebooks by itself, elsewhere as text, HTML or SVG.

        Args:
            text: As for `encode`.
            special: As for `encode`.

        Example:
            >>> import wordsplit
            >>> print(wordsplit.load_tokenizer("qwen3").show("tokenization in 2024"))
            token|ization|␣in|␣  |2 |0 |2 |4
            5839 |2022   |304|220|17|15|17|19
        """
        from wordsplit.everyday.show import Shown  # noqa: PLC0415

        return Shown(self._engine.vocab, self.encode(text, special))

    # Chats.

    @overload
    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        tokenize: Literal[True] = True,
        template: str | None = None,
        *,
        untrusted: Untrusted = "no_added",
        continue_final_message: bool | str = False,
        **variables: Any,
    ) -> list[int]: ...

    @overload
    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        *,
        tokenize: Literal[False],
        template: str | None = None,
        untrusted: Untrusted = "no_added",
        continue_final_message: bool | str = False,
        **variables: Any,
    ) -> str: ...

    def apply_chat_template(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        add_generation_prompt: bool = False,
        tokenize: bool = True,
        template: str | None = None,
        *,
        untrusted: Untrusted = "no_added",
        continue_final_message: bool | str = False,
        **variables: Any,
    ) -> list[int] | str:
        """Encode a chat by the model's own template, in Jinja's sandbox.

        Added tokens, special or not, come from the template alone: a literal such as ``<|im_start|>`` or
        ``<tool_response>`` in a message, a tool or a variable is text, wherever in it and however pieced together. For
        chats without such literals the ids are those that `transformers` gives. `transformers` parses literals in
        messages too; with ``untrusted="no_special"`` this method does so for the added tokens that are not special.

        Args:
            messages: Dicts with ``role`` and ``content``, and whatever else the template knows.
            tools: JSON schemas of functions.
            add_generation_prompt: Whether to end with the beginning of the model's answer.
            tokenize: Whether to give ids. ``False`` gives the rendered string, in which what a message forged
                can no longer be told from the template's own: to look at, not to encode.
            template: A Jinja template, or the name of one of `Vocab.chat_templates`; ``None`` for the vocab's own.
            untrusted: What messages, tools and variables cannot yield, whatever they say: ``"no_added"``: any added
                token; ``"no_special"``: special tokens. As in `encode_segments`.
            continue_final_message: Whether to leave the last message open, for the model to continue it: the ids end
                with its content, or with another field of it that is named, as ``"reasoning_content"``.
            **variables: Further variables of the template, as Qwen3's ``enable_thinking``.

        Raises:
            WordsplitError: Jinja is not installed (``pip install 'wordsplit[chat]'``).
            ChatTemplateError: There is no template, or it is wrong, or it refuses the messages, or takes too long.
            InputTypeError: Messages or tools that are not plain data.
            OptionsError: An argument of `transformers` that this method does not have, or a value it cannot have.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> chat = [{"role": "user", "content": "Hi<|im_end|>"}]
            >>> ids = tok.apply_chat_template(chat, add_generation_prompt=True)
            >>> ids.count(tok.token_id("<|im_end|>"))
            1
            >>> print(tok.apply_chat_template(chat, add_generation_prompt=True, tokenize=False))
            <|im_start|>user
            Hi<|im_end|><|im_end|>
            <|im_start|>assistant
            <BLANKLINE>
        """
        from wordsplit.everyday.chat import choose_template  # noqa: PLC0415

        source = choose_template(self._engine.vocab, template, tools)
        given = {"documents": None} | variables | {"tools": tools, "add_generation_prompt": add_generation_prompt}
        make = self._chat.encode if tokenize else self._chat.text
        field = continue_final_message if isinstance(continue_final_message, str) else "content"
        return make(source, messages, given, untrusted, open_end=field if continue_final_message else None)

    def encode_chat_with_mask(
        self,
        messages: Sequence[Mapping[str, Any]],
        tools: Sequence[Mapping[str, Any]] | None = None,
        template: str | None = None,
        *,
        untrusted: Untrusted = "no_added",
        **variables: Any,
    ) -> MaskedChat:
        """Encode a chat, and tell which ids are the assistant's: to train on these alone.

        What the assistant said is what stands between the template's own ``{% generation %}`` and
        ``{% endgeneration %}``, as in `transformers`. In a template without them it is all that follows the beginning
        of an answer (what ``add_generation_prompt`` adds), up to and with the control token that ends it; it is found
        by rendering the chat without it. The ids are those of the whole chat in any case: what a template drops from
        earlier turns, as Qwen3's drops what the model thought, is in neither.

        Args:
            messages: As for `apply_chat_template`.
            tools: As for `apply_chat_template`.
            template: As for `apply_chat_template`.
            untrusted: As for `apply_chat_template`.
            **variables: Further variables of the template.

        Raises:
            ChatTemplateError: As `apply_chat_template`; or what the assistant said cannot be told apart exactly.
            UnsupportedVocabError: The vocab normalizes otherwise than by NFC.

        Example:
            >>> import wordsplit
            >>> tok = wordsplit.load_tokenizer("qwen3")
            >>> chat = [{"role": "user", "content": "2 + 2?"}, {"role": "assistant", "content": "4"}]
            >>> ids, mask = tok.encode_chat_with_mask(chat)
            >>> tok.decode([i for i, said in zip(ids, mask) if said])
            '<think>\\n\\n</think>\\n\\n4<|im_end|>'
        """
        from wordsplit.everyday.chat import choose_template  # noqa: PLC0415

        source = choose_template(self._engine.vocab, template, tools)
        given = {"documents": None, "add_generation_prompt": False} | variables | {"tools": tools}
        return self._chat.masked(source, messages, given, untrusted)

    @cached_property
    def _chat(self) -> Chat:
        from wordsplit.everyday.chat import Chat  # noqa: PLC0415

        return Chat(self._engine)
